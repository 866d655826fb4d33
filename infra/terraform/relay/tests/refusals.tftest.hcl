# What the variables refuse. Reference values have a run for each thing that they may not say.
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

run "every_variable" {
  command = plan
  variables {
    relay_machine_type   = "n2-standard-2"
    replicas             = 0
    zones                = ["us-central1-a"]
    reference_values     = "{}"
    proxy_image          = "europe-west4-docker.pkg.dev/parley-project/parley/parley-proxy:latest"
    image_archive_sha256 = "ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB"
    egress_hosts         = [{ host = "*", port = 443 }]
    labels               = { release = "other" }
    hostname             = "https://relay.example.com"
    subnet_cidr          = "10.80.0.0/28"
  }
  expect_failures = [var.relay_machine_type, var.replicas, var.zones, var.reference_values, var.proxy_image, var.image_archive_sha256, var.egress_hosts, var.labels, var.hostname, var.subnet_cidr]
}

run "simulated_accepted" {
  command = plan
  variables {
    reference_values = "{\"version\":\"parley-policy-v1\",\"minimum_assurance\":\"TEE_ATTESTED\",\"accept_simulated\":true,\"waive\":[]}"
    replicas         = 1.5
  }
  expect_failures = [var.reference_values, var.replicas]
}

run "check_waived" {
  command = plan
  variables {
    reference_values = "{\"version\":\"parley-policy-v1\",\"minimum_assurance\":\"TEE_ATTESTED\",\"accept_simulated\":false,\"waive\":[{\"check\":\"crl\",\"reason\":\"none\"}]}"
  }
  expect_failures = [var.reference_values]
}

run "self_asserted" {
  command = plan
  variables {
    reference_values = "{\"version\":\"parley-policy-v1\",\"minimum_assurance\":\"SELF_ASSERTED\",\"accept_simulated\":false,\"waive\":[]}"
  }
  expect_failures = [var.reference_values]
}

run "another_image" {
  command = plan
  variables {
    image_archive_sha256 = "0000000000000000000000000000000000000000000000000000000000000000"
  }
  expect_failures = [google_storage_bucket_object.image]
}
