/** Types of events (TCG PC Client Platform Firmware Profile, §10.4.1). What a type says, no register holds. */
export const EVENT = {
  noAction: 0x0000_0003,
  separator: 0x0000_0004,
  ipl: 0x0000_000d,
  variableDriverConfig: 0x8000_0001,
  bootServicesApplication: 0x8000_0003,
  action: 0x8000_0007,
  variableAuthority: 0x8000_00e0,
} as const

/** Registers by what is measured into them here. */
export const PCR = {
  bootApplications: 4,
  secureBoot: 7,
  ukiSections: 11,
  commandLine: 12,
  extensions: 13,
} as const
