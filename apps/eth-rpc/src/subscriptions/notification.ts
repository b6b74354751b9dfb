const BEFORE = '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"'
const BETWEEN = '","result":'
const AFTER = '}}'

/** Of a subscription's id. */
const ID_LENGTH = 34

/** A message to many subscriptions: only the id differs, so that the rest is written once. */
export class Notification {
  private readonly template: Buffer

  /** `result` is JSON. */
  constructor(result: string) {
    this.template = Buffer.from(`${BEFORE}${' '.repeat(ID_LENGTH)}${BETWEEN}${result}${AFTER}`)
  }

  to(id: string): Buffer {
    const message = Buffer.from(this.template)
    message.write(id, BEFORE.length, 'latin1')
    return message
  }
}
