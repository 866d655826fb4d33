resource "google_compute_network" "this" {
  project                 = var.project
  name                    = var.name
  auto_create_subnetworks = false
  routing_mode            = "REGIONAL"
  # Without it every VM would have a way to the internet. The one that is added below is for the host-proxy.
  delete_default_routes_on_create = true
}

resource "google_compute_subnetwork" "relay" {
  project                  = var.project
  name                     = "${var.name}-relay"
  region                   = var.region
  network                  = google_compute_network.this.id
  ip_cidr_range            = local.relay_range
  stack_type               = "IPV4_ONLY"
  private_ip_google_access = false
}

resource "google_compute_subnetwork" "proxy" {
  project       = var.project
  name          = "${var.name}-proxy"
  region        = var.region
  network       = google_compute_network.this.id
  ip_cidr_range = local.proxy_range
  stack_type    = "IPV4_ONLY"
  # To fetch its container from Artifact Registry.
  private_ip_google_access = true
}

resource "google_compute_route" "proxy" {
  project          = var.project
  name             = "${var.name}-proxy"
  network          = google_compute_network.this.id
  dest_range       = "0.0.0.0/0"
  next_hop_gateway = "default-internet-gateway"
  tags             = [local.proxy_tag]
}

# Address translation exists only where relays may reach somebody.
resource "google_compute_router" "proxy" {
  count   = length(var.egress_hosts) > 0 ? 1 : 0
  project = var.project
  name    = "${var.name}-proxy"
  region  = var.region
  network = google_compute_network.this.id
}

resource "google_compute_router_nat" "proxy" {
  count                              = length(var.egress_hosts) > 0 ? 1 : 0
  project                            = var.project
  name                               = "${var.name}-proxy"
  region                             = var.region
  router                             = google_compute_router.proxy[0].name
  nat_ip_allocate_option             = "AUTO_ONLY"
  source_subnetwork_ip_ranges_to_nat = "LIST_OF_SUBNETWORKS"

  subnetwork {
    name                    = google_compute_subnetwork.proxy.id
    source_ip_ranges_to_nat = ["PRIMARY_IP_RANGE"]
  }
}

# Artifact Registry at private.googleapis.com, so that fetching the container needs no way to the internet.
resource "google_dns_managed_zone" "google" {
  for_each   = toset(["pkg.dev", "googleapis.com"])
  project    = var.project
  name       = "${var.name}-${replace(each.key, ".", "-")}"
  dns_name   = "${each.key}."
  visibility = "private"
  labels     = local.labels

  private_visibility_config {
    networks {
      network_url = google_compute_network.this.id
    }
  }
}

resource "google_dns_record_set" "google" {
  for_each     = google_dns_managed_zone.google
  project      = var.project
  managed_zone = each.value.name
  name         = "*.${each.value.dns_name}"
  type         = "A"
  ttl          = 300
  rrdatas      = ["199.36.153.8", "199.36.153.9", "199.36.153.10", "199.36.153.11"]
}
