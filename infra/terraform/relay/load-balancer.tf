resource "google_compute_instance_group" "proxy" {
  project   = var.project
  name      = "${var.name}-proxy"
  zone      = var.zones[0]
  instances = [google_compute_instance.proxy.self_link]

  named_port {
    name = "public"
    port = local.public_port
  }
}

# 503 until a relay has registered, so a host-proxy without relays counts as down.
resource "google_compute_health_check" "proxy" {
  project             = var.project
  name                = "${var.name}-proxy"
  check_interval_sec  = 5
  timeout_sec         = 5
  healthy_threshold   = 2
  unhealthy_threshold = 3

  http_health_check {
    port         = local.public_port
    request_path = "/health"
  }
}

resource "google_compute_security_policy" "clients" {
  project = var.project
  name    = "${var.name}-clients"

  rule {
    action      = "throttle"
    priority    = 1000
    description = "each client address in its measure"
    match {
      versioned_expr = "SRC_IPS_V1"
      config {
        src_ip_ranges = ["*"]
      }
    }
    rate_limit_options {
      conform_action = "allow"
      exceed_action  = "deny(429)"
      enforce_on_key = "IP"
      rate_limit_threshold {
        count        = var.requests_per_minute
        interval_sec = 60
      }
    }
  }

  rule {
    action      = "deny(403)"
    priority    = 2147483647
    description = "the default, which the rule above leaves nothing to"
    match {
      versioned_expr = "SRC_IPS_V1"
      config {
        src_ip_ranges = ["*"]
      }
    }
  }
}

resource "google_compute_backend_service" "proxy" {
  project               = var.project
  name                  = "${var.name}-proxy"
  load_balancing_scheme = "EXTERNAL_MANAGED"
  protocol              = "HTTP"
  port_name             = "public"
  # Above the host-proxy's own 60 s, which stand above a long poll's 30 s.
  timeout_sec     = 75
  enable_cdn      = false
  health_checks   = [google_compute_health_check.proxy.id]
  security_policy = google_compute_security_policy.clients.id

  backend {
    group           = google_compute_instance_group.proxy.id
    balancing_mode  = "UTILIZATION"
    max_utilization = 1
  }

  # Addresses and sizes of participants are nobody's to collect.
  log_config {
    enable = false
  }
}

resource "google_compute_url_map" "public" {
  project         = var.project
  name            = "${var.name}-public"
  default_service = google_compute_backend_service.proxy.id
}

# Google makes and keeps the key of this certificate, so that no key is in the state file. What TLS protects here is
# metadata: requests are sealed to an attested key inside.
resource "google_compute_managed_ssl_certificate" "public" {
  project = var.project
  name    = "${var.name}-${substr(sha256(var.hostname), 0, 8)}"

  managed {
    domains = [var.hostname]
  }

  lifecycle {
    create_before_destroy = true
  }
}

resource "google_compute_ssl_policy" "public" {
  project         = var.project
  name            = "${var.name}-public"
  profile         = "RESTRICTED"
  min_tls_version = "TLS_1_2"
}

resource "google_compute_target_https_proxy" "public" {
  project          = var.project
  name             = "${var.name}-public"
  url_map          = google_compute_url_map.public.id
  ssl_certificates = [google_compute_managed_ssl_certificate.public.id]
  ssl_policy       = google_compute_ssl_policy.public.id
  quic_override    = "DISABLE"
}

resource "google_compute_global_address" "public" {
  project      = var.project
  name         = "${var.name}-public"
  address_type = "EXTERNAL"
  ip_version   = "IPV4"
}

# Port 443 and no other: there is no plain HTTP to redirect from.
resource "google_compute_global_forwarding_rule" "public" {
  project               = var.project
  name                  = "${var.name}-public"
  load_balancing_scheme = "EXTERNAL_MANAGED"
  ip_address            = google_compute_global_address.public.id
  ip_protocol           = "TCP"
  port_range            = "443"
  target                = google_compute_target_https_proxy.public.id
  labels                = local.labels
}
