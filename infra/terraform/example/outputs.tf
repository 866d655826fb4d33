output "relay_url" {
  description = "Where participants reach the relay."
  value       = module.parley.relay_url
}

output "load_balancer_address" {
  description = "IPv4 address for the A record of hostname."
  value       = module.parley.load_balancer_address
}

output "reference_values" {
  description = "The release's verifier policy: terraform output -raw reference_values > policy.json"
  value       = module.parley.reference_values
}

output "check_command" {
  description = "Appraises a relay against policy.json."
  value       = module.parley.check_command
}

output "relays" {
  description = "The relays, each with the command that prints its vTPM keys."
  value       = module.parley.relays
}
