terraform {
  required_version = ">= 1.11"
  required_providers {
    google = {
      source = "hashicorp/google"
      # The version whose schema the checks hold. Move both together.
      version = "6.50.0"
    }
  }
}
