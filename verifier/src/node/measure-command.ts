import type { Command } from 'commander'
import { ending } from './ending.js'
import { type GcpOptions, runMeasureGcp } from './measure-gcp.js'
import { type LaunchOptions, runMeasure } from './measure-launch.js'
import type { Io } from './run.js'

const addLaunch = (measure: Command): Command =>
  measure
    // The default, so that `measure` alone takes these options and `measure gcp` takes none of them.
    .command('launch', { isDefault: true })
    .description('print the launch digest that the report of an SEV-SNP guest has to show')
    .requiredOption('--ovmf <file>', 'firmware image')
    .option('--kernel <file>', 'kernel, for direct boot with kernel hashes')
    .option('--initrd <file>', 'initial file system, with --kernel')
    .option('--append <text>', 'kernel command line, with --kernel')
    .requiredOption('--vcpus <n>', 'number of vcpus')
    .option('--vcpu-type <name>', "QEMU's name of the vcpu, such as EPYC-Milan; not the chip underneath")
    .option('--vcpu-sig <hex>', 'CPUID Fn0000_0001_EAX of the vcpu, instead of its name')
    .requiredOption('--vmm <name>', 'qemu, ec2 or gce, in any case')
    .requiredOption('--guest-features <hex>', 'SEV_FEATURES, such as 0x1, or 0x21 with debug swap')
    .option('--ovmf-hash <hex>', 'launch digest after the firmware image, if that is another than --ovmf')
    .option('--explain <digest>', 'name what is different about a launch with this digest')
    .option('--json', 'print one JSON document, with the digest after each step')

const addGcp = (measure: Command): Command =>
  measure
    .command('gcp')
    .description("print the measurement that Google's launch endorsement names for a VM")
    .argument('<endorsement>', 'serialized VMLaunchEndorsement')
    .requiredOption('--vcpus <n>', 'number of vcpus')
    .option(
      '--google-root <file>',
      "certificate of Google's firmware authority; without it nothing is verified",
    )
    .option('--now <iso>', 'the time to judge at; default: the clock')
    .option('--json', 'print one JSON document')

/**
 * Adds `measure` and `measure gcp` to a program. Both are offline.
 * @param end is told the exit code: 0 measured, matching or endorsed · 2 not genuine · 3 another digest, or not
 * verified · 5 malformed
 * @throws AttestationError from the actions, for usage
 */
export const addMeasureCommand = (program: Command, io: Io, end: (code: number) => void): void => {
  const measure = program.command('measure').description('print expected launch measurements')
  const launch = addLaunch(measure)
  launch.action(async (options: LaunchOptions) => {
    end(await ending(io, () => runMeasure(options, io)))
  })
  addGcp(measure).action(async (path: string, options: GcpOptions) => {
    end(await ending(io, () => runMeasureGcp(path, options, io)))
  })
  measure.addHelpText('after', () => `\n${launch.helpInformation()}`)
}
