import { join } from 'node:path'
import { inRepository } from '../demo/paths.js'

/** What the image is made from, in the repository. */
export const IMAGE_SOURCES = inRepository('infra/image')

/** Where a build leaves what it made. */
export const OUT = inRepository('out/image')

/** Packages as they were fetched: they are checked again at each build. */
export const DEB_CACHE = inRepository('out/image-cache')

/** 2024-01-01: every time that ends up in a file. */
export const SOURCE_DATE_EPOCH = 1_704_067_200

export const inSources = (path: string): string => join(IMAGE_SOURCES, path)
