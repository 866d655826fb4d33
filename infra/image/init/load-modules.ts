import { closeSync, openSync } from 'node:fs'
import type { Module } from './image-facts.js'
import { finitModule } from './libc.js'

const FINIT_MODULE = 313

/**
 * Loads modules in their order.
 * @returns the optional ones that found no hardware
 * @throws BootError module_failed
 */
export const loadModules = (modules: readonly Module[]): readonly string[] =>
  modules.filter((module) => !isLoaded(module)).map(({ path }) => path)

function isLoaded({ path, optional }: Module): boolean {
  const fd = openSync(path, 'r')
  try {
    finitModule(FINIT_MODULE, fd, '', 0)
    return true
  } catch (error) {
    if (!optional) throw error
    return false
  } finally {
    closeSync(fd)
  }
}
