terraform {
  required_version = ">= 1.11"
  required_providers {
    google = {
      source  = "hashicorp/google"
      version = "6.50.0"
    }
  }
}

provider "google" {
  project = var.project
  region  = var.region
}

module "parley" {
  source = "../relay"

  project  = var.project
  region   = var.region
  zones    = ["${var.region}-a", "${var.region}-b"]
  replicas = 2
  hostname = var.hostname

  release              = var.release
  image_archive        = "${var.release_folder}/parley-gcp.tar.gz"
  image_archive_sha256 = var.image_archive_sha256
  reference_values     = file("${var.release_folder}/policy.json")
  secure_boot_certificates = {
    platform     = "${var.release_folder}/pk.der"
    key_exchange = "${var.release_folder}/kek.der"
    signer       = "${var.release_folder}/db.der"
  }

  proxy_image  = var.proxy_image
  egress_hosts = var.egress_hosts
}
