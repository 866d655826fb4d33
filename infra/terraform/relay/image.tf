resource "google_storage_bucket" "image" {
  project                     = var.project
  name                        = "${var.project}-${var.name}-image"
  location                    = upper(var.region)
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = false
  labels                      = local.labels
}

resource "google_storage_bucket_object" "image" {
  bucket = google_storage_bucket.image.name
  name   = "${var.image_archive_sha256}.tar.gz"
  source = var.image_archive

  lifecycle {
    precondition {
      condition     = filesha256(var.image_archive) == var.image_archive_sha256
      error_message = "image_archive is not what image_archive_sha256 says."
    }
  }
}

resource "google_compute_image" "relay" {
  project = var.project
  # A new release is a new image: the relays that boot it are replaced, and the old one stays until then.
  name              = "${var.name}-${substr(var.image_archive_sha256, 0, 16)}"
  description       = "Parley ${var.release}, SHA-256 ${var.image_archive_sha256}"
  storage_locations = [var.region]
  labels            = local.labels

  raw_disk {
    source         = "https://storage.googleapis.com/${google_storage_bucket.image.name}/${google_storage_bucket_object.image.name}"
    container_type = "TAR"
  }

  guest_os_features {
    type = "UEFI_COMPATIBLE"
  }
  guest_os_features {
    type = "SEV_SNP_CAPABLE"
  }
  guest_os_features {
    type = "GVNIC"
  }

  # The keys that Secure Boot starts from. Without them the cloud's default ones hold, under which our UKI does not
  # boot and others' loaders do.
  shielded_instance_initial_state {
    pk {
      content   = filebase64(var.secure_boot_certificates.platform)
      file_type = "X509"
    }
    keks {
      content   = filebase64(var.secure_boot_certificates.key_exchange)
      file_type = "X509"
    }
    dbs {
      content   = filebase64(var.secure_boot_certificates.signer)
      file_type = "X509"
    }
  }

  lifecycle {
    create_before_destroy = true
  }
}
