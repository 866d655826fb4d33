# The security invariants, on a plan with mocked resources: what the provider's schema can't say.
mock_provider "google" {}

variables {
  project              = "parley-project"
  region               = "europe-west4"
  zones                = ["europe-west4-a", "europe-west4-b"]
  replicas             = 3
  hostname             = "relay.example.com"
  release              = "0.1.0"
  image_archive        = "tests/fixtures/image.tar.gz"
  image_archive_sha256 = "ec601b3028d9fbdf428231f0f70fc06f54475e40d18c6dc4f7c89988d2014463"
  reference_values     = "{\"version\":\"parley-policy-v1\",\"minimum_assurance\":\"TEE_ATTESTED\",\"accept_simulated\":false,\"waive\":[]}"
  secure_boot_certificates = {
    platform     = "tests/fixtures/pk.der"
    key_exchange = "tests/fixtures/kek.der"
    signer       = "tests/fixtures/db.der"
  }
  proxy_image = "europe-west4-docker.pkg.dev/parley-project/parley/parley-proxy@sha256:0000000000000000000000000000000000000000000000000000000000000000"
}

# One plan for all of them: three relays, no host to reach.
run "invariants" {
  command = plan

  # SEV-SNP on AMD Milan.
  assert {
    condition     = length(google_compute_instance.relay) == 3
    error_message = "replicas is not the number of relays"
  }
  assert {
    condition     = alltrue([for vm in google_compute_instance.relay : try(vm.confidential_instance_config[0].confidential_instance_type, "") == "SEV_SNP"])
    error_message = "a relay without SEV-SNP"
  }
  assert {
    condition     = alltrue([for vm in google_compute_instance.relay : startswith(vm.machine_type, "n2d-") && vm.min_cpu_platform == "AMD Milan"])
    error_message = "a relay that is not on AMD Milan"
  }
  assert {
    condition     = alltrue([for vm in google_compute_instance.relay : try(vm.scheduling[0].on_host_maintenance, "") == "TERMINATE"])
    error_message = "a relay that is to be moved while it runs"
  }
  assert {
    condition     = setunion([for feature in google_compute_image.relay.guest_os_features : feature.type]) == toset(["UEFI_COMPATIBLE", "SEV_SNP_CAPABLE", "GVNIC"])
    error_message = "the image's guest OS features are not UEFI_COMPATIBLE, SEV_SNP_CAPABLE, GVNIC"
  }
  assert {
    condition     = alltrue([for vm in google_compute_instance.relay : vm.network_interface[0].nic_type == "GVNIC"])
    error_message = "a relay without GVNIC"
  }

  # Secure Boot, vTPM.
  assert {
    condition     = alltrue([for vm in concat(google_compute_instance.relay, [google_compute_instance.proxy]) : try(vm.shielded_instance_config[0].enable_secure_boot, false) == true])
    error_message = "a VM without Secure Boot"
  }
  assert {
    condition     = alltrue([for vm in concat(google_compute_instance.relay, [google_compute_instance.proxy]) : try(vm.shielded_instance_config[0].enable_vtpm, false) == true])
    error_message = "a VM without vTPM"
  }
  assert {
    condition     = alltrue([for vm in concat(google_compute_instance.relay, [google_compute_instance.proxy]) : try(vm.shielded_instance_config[0].enable_integrity_monitoring, false) == true])
    error_message = "a VM without integrity monitoring"
  }
  assert {
    condition     = try(length(google_compute_image.relay.shielded_instance_initial_state[0].dbs), 0) == 1 && try(google_compute_image.relay.shielded_instance_initial_state[0].dbs[0].content, "") == filebase64("tests/fixtures/db.der")
    error_message = "Secure Boot takes another signer than the release's"
  }

  # No way in but the load balancer: no address, login, console, identity.
  assert {
    condition     = alltrue([for vm in concat(google_compute_instance.relay, [google_compute_instance.proxy]) : length(vm.network_interface) == 1 && alltrue([for nic in vm.network_interface : length(nic.access_config) == 0 && length(nic.ipv6_access_config) == 0 && nic.stack_type == "IPV4_ONLY"])])
    error_message = "a VM with an external address"
  }
  assert {
    condition     = alltrue([for vm in concat(google_compute_instance.relay, [google_compute_instance.proxy]) : lookup(vm.metadata, "block-project-ssh-keys", "") == "true" && lookup(vm.metadata, "enable-oslogin", "") == "FALSE"])
    error_message = "a VM that takes SSH keys or OS Login"
  }
  assert {
    condition     = alltrue([for vm in concat(google_compute_instance.relay, [google_compute_instance.proxy]) : lookup(vm.metadata, "serial-port-enable", "") == "FALSE" && lookup(vm.metadata, "serial-port-logging-enable", "") == "FALSE"])
    error_message = "a VM with its serial port on"
  }
  # A closed list: ssh-keys, startup-script and what else may come are all refused.
  assert {
    condition     = alltrue([for vm in google_compute_instance.relay : length(setsubtract(keys(vm.metadata), concat(keys(local.closed_metadata), ["parley-relay"]))) == 0 && vm.metadata_startup_script == null])
    error_message = "a relay with metadata beyond the list"
  }
  assert {
    condition     = length(setsubtract(keys(google_compute_instance.proxy.metadata), concat(keys(local.closed_metadata), ["user-data"]))) == 0 && google_compute_instance.proxy.metadata_startup_script == null
    error_message = "a host-proxy with metadata beyond the list"
  }
  assert {
    condition     = alltrue([for vm in google_compute_instance.relay : length(vm.service_account) == 0])
    error_message = "a relay with an identity at Google"
  }
  assert {
    condition     = google_artifact_registry_repository_iam_member.proxy.role == "roles/artifactregistry.reader"
    error_message = "a host-proxy with more than the right to read its repository"
  }
  assert {
    condition     = alltrue([for vm in concat(google_compute_instance.relay, [google_compute_instance.proxy]) : vm.can_ip_forward == false])
    error_message = "a VM that forwards packets"
  }
  assert {
    condition     = google_storage_bucket.image.public_access_prevention == "enforced" && google_storage_bucket.image.uniform_bucket_level_access == true
    error_message = "an image bucket that may be opened"
  }

  # Denied both ways, and a relay reaches the host-proxy only.
  assert {
    condition     = try(toset(google_compute_firewall.deny["INGRESS"].source_ranges) == toset(["0.0.0.0/0"]) && toset(google_compute_firewall.deny["EGRESS"].destination_ranges) == toset(["0.0.0.0/0"]), false)
    error_message = "not everything is denied both ways"
  }
  assert {
    condition     = alltrue([for rule in google_compute_firewall.deny : rule.target_tags == null && rule.deny != null && alltrue([for deny in rule.deny : deny.protocol == "all"]) && length(rule.allow) == 0 && rule.priority == 65534 && rule.disabled != true])
    error_message = "the rules that deny leave something out"
  }
  assert {
    condition     = toset(keys(google_compute_firewall.ingress)) == toset(["balancer-to-proxy", "relay-to-proxy", "proxy-to-relay"]) && toset(keys(google_compute_firewall.egress)) == toset(["relay-to-proxy", "proxy-to-relay", "proxy-to-google"])
    error_message = "the firewall allows more ways than are listed"
  }
  assert {
    condition     = alltrue([for rule in google_compute_firewall.ingress : !contains(coalesce(rule.source_ranges, []), "0.0.0.0/0")])
    error_message = "the firewall lets anybody in"
  }
  assert {
    condition     = alltrue([for rule in concat(values(google_compute_firewall.ingress), values(google_compute_firewall.egress)) : length(rule.target_tags) == 1 && alltrue([for allow in rule.allow : allow.protocol == "tcp" && length(allow.ports) == 1 && !contains(allow.ports, "22")])])
    error_message = "a firewall rule without tag, with more than one port, or for SSH"
  }
  assert {
    condition     = alltrue([for rule in google_compute_firewall.egress : rule.target_tags == toset(["parley-relay"]) ? rule.destination_ranges == toset(["10.80.0.138/32"]) && flatten([for allow in rule.allow : allow.ports]) == ["7081"] : true])
    error_message = "a relay reaches more than the host-proxy's control listener"
  }
  assert {
    condition     = google_compute_firewall.ingress["relay-to-proxy"].source_tags == toset(["parley-relay"]) && google_compute_firewall.ingress["relay-to-proxy"].source_ranges == null
    error_message = "others than relays reach the control listener"
  }
  assert {
    condition     = google_compute_network.this.auto_create_subnetworks == false && google_compute_network.this.delete_default_routes_on_create == true && google_compute_route.proxy.tags == toset(["parley-proxy"])
    error_message = "a relay has a route to the internet"
  }
  assert {
    condition     = google_compute_subnetwork.relay.private_ip_google_access == false
    error_message = "a relay reaches Google's interfaces"
  }
  assert {
    condition     = length(google_compute_router_nat.proxy) == 0
    error_message = "address translation without a host to reach"
  }

  # TLS.
  assert {
    condition     = google_compute_global_forwarding_rule.public.port_range == "443" && google_compute_ssl_policy.public.min_tls_version == "TLS_1_2" && google_compute_ssl_policy.public.profile == "RESTRICTED"
    error_message = "something else than TLS 1.2 or later on port 443"
  }
  assert {
    condition     = google_compute_health_check.proxy.http_health_check[0].request_path == "/health"
    error_message = "another health check"
  }
  assert {
    condition     = try(google_compute_backend_service.proxy.log_config[0].enable, true) == false
    error_message = "the load balancer writes participants' addresses down"
  }

  # What the parts are told, and outputs.
  assert {
    condition = jsondecode(google_compute_instance.relay[1].metadata["parley-relay"]) == {
      listen        = { host = "10.80.0.11", port = 7090 }
      proxy         = "http://10.80.0.138:7081"
      advertise_url = "http://10.80.0.11:7090"
    }
    error_message = "a relay's configuration is another"
  }
  assert {
    condition     = yamldecode(google_compute_instance.proxy.metadata["user-data"]).write_files[0].path == "/etc/parley/proxy.json" && jsondecode(yamldecode(google_compute_instance.proxy.metadata["user-data"]).write_files[0].content).control.port == 7081
    error_message = "the host-proxy's configuration is another"
  }
  assert {
    condition     = output.relay_url == "https://relay.example.com" && output.reference_values == var.reference_values
    error_message = "the outputs are not what a verifier needs"
  }
  assert {
    condition     = google_compute_instance.relay[0].zone == "europe-west4-a" && google_compute_instance.relay[1].zone == "europe-west4-b" && google_compute_instance.relay[2].zone == "europe-west4-a"
    error_message = "the replicas don't stand in their zones in turn"
  }
  assert {
    condition     = alltrue([for part in concat(google_compute_instance.relay, google_compute_disk.data, [google_compute_instance.proxy]) : part.labels["application"] == "parley" && part.labels["release"] == "0-1-0"])
    error_message = "labels are missing"
  }
}

run "egress" {
  command = plan
  variables {
    egress_hosts = [{ host = "api.example.com", port = 443 }, { host = "b.example.com", port = 443 }]
  }

  assert {
    condition     = google_compute_firewall.egress["proxy-to-providers"].target_tags == toset(["parley-proxy"]) && flatten([for allow in google_compute_firewall.egress["proxy-to-providers"].allow : allow.ports]) == ["443"]
    error_message = "the way to providers is not the host-proxy's, or has more ports than its list"
  }
  assert {
    condition     = length(google_compute_router_nat.proxy) == 1 && google_compute_router_nat.proxy[0].source_subnetwork_ip_ranges_to_nat == "LIST_OF_SUBNETWORKS" && length(google_compute_router_nat.proxy[0].subnetwork) == 1
    error_message = "address translation for more than the host-proxy's subnet"
  }
  assert {
    condition     = strcontains(google_compute_instance.proxy.metadata["user-data"], "{\"host\":\"api.example.com\",\"port\":443}")
    error_message = "the host-proxy's list lacks a host"
  }
}
