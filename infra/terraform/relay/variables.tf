variable "project" {
  description = "Google Cloud project id. Give the relay a project of its own: whoever may edit it can replace the relay, though not unnoticed."
  type        = string
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project))
    error_message = "project is a project id: 6 to 30 of a-z, 0-9 and -."
  }
}

variable "region" {
  description = "Region that has AMD Milan N2D machines with SEV-SNP."
  type        = string
  validation {
    condition     = can(regex("^[a-z]+-[a-z]+[0-9]+$", var.region))
    error_message = "region looks like europe-west4."
  }
}

variable "zones" {
  description = "Zones of the region, in turn for the replicas; the host-proxy stands in the first."
  type        = list(string)
  validation {
    condition     = length(var.zones) > 0 && alltrue([for zone in var.zones : startswith(zone, "${var.region}-")])
    error_message = "zones holds at least one zone, all of them in region."
  }
}

variable "name" {
  description = "Prefix of every resource's name."
  type        = string
  default     = "parley"
  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,18}[a-z0-9]$", var.name))
    error_message = "name has 2 to 20 of a-z, 0-9 and -."
  }
}

variable "labels" {
  description = "Labels of your own on everything that takes labels; `application`, `part` and `release` are the module's."
  type        = map(string)
  default     = {}
  validation {
    condition     = length(setintersection(keys(var.labels), ["application", "part", "release"])) == 0
    error_message = "labels may not set application, part or release."
  }
}

variable "replicas" {
  description = "Number of relays behind the host-proxy. Each has keys of its own; a session stays with one of them."
  type        = number
  default     = 1
  validation {
    condition     = var.replicas >= 1 && var.replicas <= 32 && floor(var.replicas) == var.replicas
    error_message = "replicas is a whole number from 1 to 32."
  }
}

variable "relay_machine_type" {
  description = "Machine type of a relay. SEV-SNP needs N2D."
  type        = string
  default     = "n2d-standard-2"
  validation {
    condition     = can(regex("^n2d-(standard|highmem|highcpu)-[0-9]+$", var.relay_machine_type))
    error_message = "relay_machine_type is an N2D type, such as n2d-standard-2."
  }
}

variable "data_disk_gib" {
  description = "Size of each relay's data disk in GiB. It holds sealed records only."
  type        = number
  default     = 20
  validation {
    condition     = var.data_disk_gib >= 10 && var.data_disk_gib <= 65536 && floor(var.data_disk_gib) == var.data_disk_gib
    error_message = "data_disk_gib is a whole number from 10 to 65536."
  }
}

variable "release" {
  description = "Version of the release, as its manifest spells it, such as 0.1.0."
  type        = string
  validation {
    condition     = can(regex("^[0-9]+\\.[0-9]+\\.[0-9]+$", var.release))
    error_message = "release is three numbers with dots."
  }
}

variable "image_archive" {
  description = "Path of the release's image for GCP: disk.raw in a tar.gz."
  type        = string
  validation {
    condition     = endswith(var.image_archive, ".tar.gz")
    error_message = "image_archive ends with .tar.gz."
  }
}

variable "image_archive_sha256" {
  description = "SHA-256 of image_archive, 64 digits of hex, from the release manifest whose signature you checked."
  type        = string
  validation {
    condition     = can(regex("^[0-9a-f]{64}$", var.image_archive_sha256))
    error_message = "image_archive_sha256 is 64 lower-case digits of hex."
  }
}

variable "secure_boot_certificates" {
  description = "Paths of the X.509 certificates (DER) of the platform key, the key exchange key and the key that signed the release's UKI. They take the place of the cloud's own, so nothing else boots."
  type = object({
    platform     = string
    key_exchange = string
    signer       = string
  })
}

variable "reference_values" {
  description = "Contents of the release's verifier policy (parley-policy-v1). Handed on unchanged; refused where it asks for less than the confidential lane."
  type        = string
  validation {
    condition     = try(jsondecode(var.reference_values).version, "") == "parley-policy-v1"
    error_message = "reference_values is no parley-policy-v1."
  }
  validation {
    condition     = try(contains(["TEE_ATTESTED", "PROVIDER_ATTESTED"], jsondecode(var.reference_values).minimum_assurance), false)
    error_message = "reference_values trusts less than TEE_ATTESTED."
  }
  validation {
    condition     = try(jsondecode(var.reference_values).accept_simulated, true) == false
    error_message = "reference_values accepts a simulated processor."
  }
  validation {
    condition     = try(length(jsondecode(var.reference_values).waive), 1) == 0
    error_message = "reference_values waives a check."
  }
}

variable "hostname" {
  description = "DNS name at which participants reach the relay. Its A record is yours to set, to the output load_balancer_address."
  type        = string
  validation {
    condition     = can(regex("^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$", var.hostname))
    error_message = "hostname is a full DNS name in lower case."
  }
}

variable "proxy_image" {
  description = "Container image of the host-proxy in Artifact Registry, by digest: REGION-docker.pkg.dev/PROJECT/REPOSITORY/NAME@sha256:…"
  type        = string
  validation {
    condition     = can(regex("^[a-z0-9-]+-docker\\.pkg\\.dev/[a-z0-9-]+/[a-z0-9-]+/[a-z0-9._/-]+@sha256:[0-9a-f]{64}$", var.proxy_image))
    error_message = "proxy_image is an image of Artifact Registry with its @sha256: digest."
  }
}

variable "proxy_machine_type" {
  description = "Machine type of the host-proxy, x86."
  type        = string
  default     = "e2-small"
  validation {
    condition     = can(regex("^(e2|n2|n2d|n4|c3d?|c4d?)-[a-z0-9-]+$", var.proxy_machine_type))
    error_message = "proxy_machine_type is an x86 type of the E2, N2, N2D, N4, C3 or C4 series."
  }
}

variable "proxy_boot_image" {
  description = "Container-Optimized OS that runs the host-proxy's container."
  type        = string
  default     = "projects/cos-cloud/global/images/family/cos-stable"
  validation {
    condition     = startswith(var.proxy_boot_image, "projects/cos-cloud/global/images/")
    error_message = "proxy_boot_image is an image or family of cos-cloud."
  }
}

variable "egress_hosts" {
  description = "The only hosts that relays reach, through the host-proxy's tunnels. Empty: none, and there is no way out at all."
  type = list(object({
    host = string
    port = number
  }))
  default = []
  validation {
    condition     = alltrue([for egress in var.egress_hosts : can(regex("^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$", egress.host)) && egress.port >= 1 && egress.port <= 65535])
    error_message = "egress_hosts names full DNS names in lower case, each with a port from 1 to 65535."
  }
}

variable "requests_per_minute" {
  description = "Requests that one client address may make in a minute; more are answered 429 by the load balancer."
  type        = number
  default     = 3000
  validation {
    condition     = var.requests_per_minute >= 60 && var.requests_per_minute <= 100000
    error_message = "requests_per_minute is from 60 to 100000."
  }
}

variable "subnet_cidr" {
  description = "IPv4 range of the two private subnets: the relays have its first half, the host-proxy the second."
  type        = string
  default     = "10.80.0.0/24"
  validation {
    condition     = try(cidrsubnet(var.subnet_cidr, 1, 0) != "" && tonumber(split("/", var.subnet_cidr)[1]) <= 25, false)
    error_message = "subnet_cidr is an IPv4 range of /25 or larger."
  }
}

variable "deletion_protection" {
  description = "Whether Google refuses to delete the VMs. Says nothing about attestation."
  type        = bool
  default     = true
}
