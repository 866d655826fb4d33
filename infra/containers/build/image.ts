/** One of the images, by the room that it runs. */
export type Image = {
  readonly name: 'relay' | 'host-proxy' | 'agent'
  readonly room: 'enclave' | 'host-proxy' | 'agent'
  /** Files of the repository beside the room's code: where they are, and where they lie in the image. */
  readonly files: readonly (readonly [from: string, to: string])[]
}

/** The images that `make containers` builds. */
export const IMAGES: readonly Image[] = [
  {
    name: 'relay',
    room: 'enclave',
    files: [
      ['infra/containers/relay.json', 'etc/parley/relay.json'],
      ['infra/policy', 'etc/parley/policy'],
      ['registry', 'app/registry'],
    ],
  },
  {
    name: 'host-proxy',
    room: 'host-proxy',
    files: [['infra/containers/proxy.json', 'etc/parley/proxy.json']],
  },
  { name: 'agent', room: 'agent', files: [['registry', 'app/registry']] },
]

/** What an image is called. */
export const tagOf = ({ name }: Pick<Image, 'name'>): string => `localhost/parley/${name}:dev`
