variable "project" {
  description = "Google Cloud project id, for the relay alone."
  type        = string
}

variable "region" {
  description = "Region with AMD Milan N2D machines and SEV-SNP, in its zones a and b."
  type        = string
  default     = "europe-west4"
}

variable "hostname" {
  description = "DNS name of the relay."
  type        = string
}

variable "release" {
  description = "Version of the release."
  type        = string
}

variable "release_folder" {
  description = "Folder with the release's parley-gcp.tar.gz, policy.json, pk.der, kek.der and db.der."
  type        = string
}

variable "image_archive_sha256" {
  description = "SHA-256 of parley-gcp.tar.gz, from the signed release manifest."
  type        = string
}

variable "proxy_image" {
  description = "Container image of the host-proxy, by digest."
  type        = string
}

variable "egress_hosts" {
  description = "Hosts that relays may reach through the host-proxy."
  type = list(object({
    host = string
    port = number
  }))
  default = []
}
