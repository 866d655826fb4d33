/** Requests that the driver takes: _IOWR('S', n, 32) (Linux, include/uapi/linux/sev-guest.h). */
export const COMMAND = {
  SNP_GET_REPORT: 0xc0205300,
  SNP_GET_DERIVED_KEY: 0xc0205301,
  SNP_GET_EXT_REPORT: 0xc0205302,
} as const

/** struct snp_guest_request_ioctl: what the ioctl itself takes. Integers are little-endian here and below. */
export const GUEST_REQUEST = { size: 32, msg_version: 0, req_data: 8, resp_data: 16, exitinfo2: 24 } as const

/** struct snp_report_req. */
export const REPORT_REQ = { size: 96, user_data: 0, vmpl: 64 } as const

/** struct snp_ext_report_req: a snp_report_req, then where the host's certificates go. */
export const EXT_REPORT_REQ = { size: 112, certs_address: 96, certs_len: 104 } as const

/** struct snp_report_resp, filled as MSG_REPORT_RSP (AMD 56860). */
export const REPORT_RESP = { size: 4000, status: 0, report_size: 4, report: 32 } as const

/** struct snp_derived_key_req. Newer drivers read eight bytes more, LAUNCH_MIT_VECTOR, which message version 1 ignores. */
export const DERIVED_KEY_REQ = {
  size: 40,
  root_key_select: 0,
  guest_field_select: 8,
  vmpl: 16,
  guest_svn: 20,
  tcb_version: 24,
} as const

/** struct snp_derived_key_resp, filled as MSG_KEY_RSP (AMD 56860). */
export const DERIVED_KEY_RESP = { size: 64, status: 0, key: 32, key_size: 32 } as const

/** The buffer for certificates is whole pages, and Linux takes no more than SEV_FW_BLOB_MAX_SIZE today. */
export const CERTIFICATES = { page: 0x1000, first: 0x4000, most: 0x10000 } as const
