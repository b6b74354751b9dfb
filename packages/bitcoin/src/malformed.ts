/** Bytes that are no block, header or transaction of their chain. */
export class MalformedData extends Error {
  override readonly name = 'MalformedData'
}
