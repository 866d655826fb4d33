export { collectFromConfigfsTsm, type TsmOptions, type TsmReport } from './collect-from-configfs-tsm.js'
export { type ConfigfsOptions, configfsCollector } from './configfs-collector.js'
export { kernelFiles, type TsmFiles } from './tsm-files.js'
