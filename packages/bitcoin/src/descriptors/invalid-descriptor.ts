/** A text that describes no outputs of this chain, or not in a form that is known here. */
export class InvalidDescriptor extends Error {
  override readonly name = 'InvalidDescriptor'
}
