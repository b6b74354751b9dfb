const BEFORE = '{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"'
const BETWEEN = '","result":'
const AFTER = '}}'

/** Of subscriptions; all are of the same length. */
export const ID_LENGTH = 34

/** What is told to many: it differs by the id of the subscription alone, and is put together once. */
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
