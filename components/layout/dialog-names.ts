/** Dialogs of the pages that can be asked for from elsewhere. */
export type DialogName =
  | "add-domain"
  | "create-api-key"
  | "add-contact"
  | "create-topic"
  | "define-property"
  | "suppress-address"
  | "invite-member"
