resource "google_compute_disk" "data" {
  count   = var.replicas
  project = var.project
  name    = "${var.name}-relay-${count.index}-data"
  zone    = element(var.zones, count.index)
  type    = "pd-balanced"
  size    = var.data_disk_gib
  labels  = merge(local.labels, { part = "relay" })
}

# No service_account block: a relay calls nothing of Google's, so it has no identity there and no token to lose.
resource "google_compute_instance" "relay" {
  count                     = var.replicas
  project                   = var.project
  name                      = "${var.name}-relay-${count.index}"
  description               = "Parley relay ${count.index}"
  zone                      = element(var.zones, count.index)
  machine_type              = var.relay_machine_type
  min_cpu_platform          = "AMD Milan"
  can_ip_forward            = false
  enable_display            = false
  deletion_protection       = var.deletion_protection
  allow_stopping_for_update = true
  tags                      = [local.relay_tag]
  labels                    = merge(local.labels, { part = "relay" })

  confidential_instance_config {
    confidential_instance_type = "SEV_SNP"
  }

  shielded_instance_config {
    enable_secure_boot          = true
    enable_vtpm                 = true
    enable_integrity_monitoring = true
  }

  # A confidential VM with SEV-SNP can't be moved while it runs. Its keys end with it; after a restart it makes new ones.
  scheduling {
    on_host_maintenance = "TERMINATE"
    automatic_restart   = true
    preemptible         = false
  }

  boot_disk {
    auto_delete = true
    initialize_params {
      image  = google_compute_image.relay.self_link
      type   = "pd-balanced"
      labels = merge(local.labels, { part = "relay" })
    }
  }

  attached_disk {
    source      = google_compute_disk.data[count.index].id
    device_name = "parley-data"
    mode        = "READ_WRITE"
  }

  # No access_config: no external address.
  network_interface {
    subnetwork = google_compute_subnetwork.relay.id
    network_ip = local.relay_addresses[count.index]
    nic_type   = "GVNIC"
    stack_type = "IPV4_ONLY"
  }

  # What the host may tell a relay: where to listen and where the host-proxy is. Nothing in it is secret and nothing in
  # it is believed; secrets come sealed, by `parley provision`.
  metadata = merge(local.closed_metadata, {
    parley-relay = jsonencode({
      listen        = { host = local.relay_addresses[count.index], port = local.relay_port }
      proxy         = "http://${local.proxy_address}:${local.control_port}"
      advertise_url = "http://${local.relay_addresses[count.index]}:${local.relay_port}"
    })
  })
}
