locals {
  labels = merge(var.labels, { application = "parley", release = replace(var.release, ".", "-") })

  relay_tag = "${var.name}-relay"
  proxy_tag = "${var.name}-proxy"

  relay_range = cidrsubnet(var.subnet_cidr, 1, 0)
  proxy_range = cidrsubnet(var.subnet_cidr, 1, 1)

  # Chosen here and not by Google, so that each side's configuration can name the other.
  relay_addresses = [for index in range(var.replicas) : cidrhost(local.relay_range, 10 + index)]
  proxy_address   = cidrhost(local.proxy_range, 10)

  # The host-proxy's public and control listeners, and the relay's.
  public_port  = 7080
  control_port = 7081
  relay_port   = 7090

  egress_ports = distinct([for egress in var.egress_hosts : tostring(egress.port)])

  # No login of any kind, no console, nothing of the project's metadata that grants one.
  closed_metadata = {
    block-project-ssh-keys     = "true"
    enable-oslogin             = "FALSE"
    serial-port-enable         = "FALSE"
    serial-port-logging-enable = "FALSE"
    enable-guest-attributes    = "FALSE"
    enable-osconfig            = "FALSE"
    disable-legacy-endpoints   = "TRUE"
  }
}
