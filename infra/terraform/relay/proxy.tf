# The host-proxy's only right: to read the repository that its container is in.
resource "google_service_account" "proxy" {
  project      = var.project
  account_id   = "${var.name}-proxy"
  display_name = "Parley host-proxy"
}

resource "google_artifact_registry_repository_iam_member" "proxy" {
  project    = split("/", var.proxy_image)[1]
  location   = split("-docker.", var.proxy_image)[0]
  repository = split("/", var.proxy_image)[2]
  role       = "roles/artifactregistry.reader"
  member     = "serviceAccount:${google_service_account.proxy.email}"
}

locals {
  proxy_config = {
    listen  = { host = local.proxy_address, port = local.public_port }
    control = { host = local.proxy_address, port = local.control_port }
    log     = null
    egress  = var.egress_hosts
    limits = {
      # Every client arrives from a few addresses of the load balancer, which counts clients itself (Cloud Armor).
      burst               = 10000
      requests_per_second = 5000
      # Longer than the load balancer's own 600 s, else it writes to connections that are being closed.
      keep_alive_ms = 620000
    }
  }
}

resource "google_compute_instance" "proxy" {
  project                   = var.project
  name                      = "${var.name}-proxy"
  description               = "Parley host-proxy: forwards ciphertext, holds no key"
  zone                      = var.zones[0]
  machine_type              = var.proxy_machine_type
  can_ip_forward            = false
  deletion_protection       = var.deletion_protection
  allow_stopping_for_update = true
  tags                      = [local.proxy_tag]
  labels                    = merge(local.labels, { part = "proxy" })

  shielded_instance_config {
    enable_secure_boot          = true
    enable_vtpm                 = true
    enable_integrity_monitoring = true
  }

  scheduling {
    on_host_maintenance = "MIGRATE"
    automatic_restart   = true
    preemptible         = false
  }

  boot_disk {
    auto_delete = true
    initialize_params {
      image  = var.proxy_boot_image
      type   = "pd-balanced"
      labels = merge(local.labels, { part = "proxy" })
    }
  }

  # No access_config: no external address. Participants come through the load balancer.
  network_interface {
    subnetwork = google_compute_subnetwork.proxy.id
    network_ip = local.proxy_address
    nic_type   = "GVNIC"
    stack_type = "IPV4_ONLY"
  }

  service_account {
    email  = google_service_account.proxy.email
    scopes = ["cloud-platform"]
  }

  metadata = merge(local.closed_metadata, {
    user-data = templatefile("${path.module}/proxy.cloud-init.yaml", {
      config       = jsonencode(local.proxy_config)
      image        = var.proxy_image
      registry     = split("/", var.proxy_image)[0]
      public_port  = local.public_port
      control_port = local.control_port
    })
  })
}
