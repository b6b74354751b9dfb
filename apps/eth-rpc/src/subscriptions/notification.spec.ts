import { Notification } from './notification.js'

describe(Notification, () => {
  it('differs only in the id', () => {
    const notification = new Notification('{"number":"0x1","extraData":"0xé"}')
    const [one, other] = [`0x${'1'.repeat(32)}`, `0x${'2'.repeat(32)}`]
    expect(JSON.parse(notification.to(one).toString())).toEqual({
      jsonrpc: '2.0',
      method: 'eth_subscription',
      params: { subscription: one, result: { number: '0x1', extraData: '0xé' } },
    })
    expect(JSON.parse(notification.to(other).toString()).params.subscription).toBe(other)
  })
})
