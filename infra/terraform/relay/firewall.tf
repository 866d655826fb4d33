# Everything is denied, both ways, for every VM of the network. What is allowed stands in one table.
resource "google_compute_firewall" "deny" {
  for_each           = toset(["INGRESS", "EGRESS"])
  project            = var.project
  name               = "${var.name}-deny-${lower(each.key)}"
  network            = google_compute_network.this.id
  direction          = each.key
  priority           = 65534
  source_ranges      = each.key == "INGRESS" ? ["0.0.0.0/0"] : null
  destination_ranges = each.key == "EGRESS" ? ["0.0.0.0/0"] : null

  deny {
    protocol = "all"
  }
}

locals {
  ingress = {
    # Google's front ends and health checks.
    balancer-to-proxy = { tag = local.proxy_tag, ranges = ["130.211.0.0/22", "35.191.0.0/16"], from = null, ports = [local.public_port] }
    # The control listener authenticates nobody: relays only.
    relay-to-proxy = { tag = local.proxy_tag, ranges = null, from = [local.relay_tag], ports = [local.control_port] }
    proxy-to-relay = { tag = local.relay_tag, ranges = null, from = [local.proxy_tag], ports = [local.relay_port] }
  }

  egress = merge({
    # The relays' only way out.
    relay-to-proxy  = { tag = local.relay_tag, ranges = ["${local.proxy_address}/32"], ports = [local.control_port] }
    proxy-to-relay  = { tag = local.proxy_tag, ranges = [local.relay_range], ports = [local.relay_port] }
    proxy-to-google = { tag = local.proxy_tag, ranges = ["199.36.153.8/30"], ports = [443] }
    }, length(var.egress_hosts) == 0 ? {} : {
    # Which hosts, the host-proxy's own list decides: providers' addresses change.
    proxy-to-providers = { tag = local.proxy_tag, ranges = ["0.0.0.0/0"], ports = local.egress_ports }
  })
}

resource "google_compute_firewall" "ingress" {
  for_each      = local.ingress
  project       = var.project
  name          = "${var.name}-in-${each.key}"
  network       = google_compute_network.this.id
  direction     = "INGRESS"
  priority      = 1000
  target_tags   = [each.value.tag]
  source_ranges = each.value.ranges
  source_tags   = each.value.from

  allow {
    protocol = "tcp"
    ports    = each.value.ports
  }
}

resource "google_compute_firewall" "egress" {
  for_each           = local.egress
  project            = var.project
  name               = "${var.name}-out-${each.key}"
  network            = google_compute_network.this.id
  direction          = "EGRESS"
  priority           = 1000
  target_tags        = [each.value.tag]
  destination_ranges = each.value.ranges

  allow {
    protocol = "tcp"
    ports    = each.value.ports
  }
}
