output "relay_url" {
  description = "Where participants reach the relay."
  value       = "https://${var.hostname}"
}

output "load_balancer_address" {
  description = "IPv4 address for the A record of hostname."
  value       = google_compute_global_address.public.address
}

output "reference_values" {
  description = "The release's verifier policy, unchanged. Participants should take it from the release, not from the operator."
  value       = var.reference_values
}

output "check_command" {
  description = "Appraises a relay over a fresh nonce, against the reference values in policy.json."
  value       = "parley relay check https://${var.hostname} --policy policy.json"
}

output "release" {
  description = "What the relays boot."
  value = {
    version              = var.release
    image                = google_compute_image.relay.name
    image_archive_sha256 = var.image_archive_sha256
  }
}

output "relays" {
  description = "The relays, and the command that prints the vTPM keys that Google has for each: its attestation key is the keyset's boot_ak."
  value = [for relay in google_compute_instance.relay : {
    name             = relay.name
    zone             = relay.zone
    instance_id      = relay.instance_id
    identity_command = "gcloud compute instances get-shielded-identity ${relay.name} --zone ${relay.zone} --project ${var.project}"
  }]
}
