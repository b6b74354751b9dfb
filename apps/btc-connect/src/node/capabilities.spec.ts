import { capabilitiesOf, type ProbeReplies } from './capabilities.js'
import { NodeRefusal } from './node-errors.js'

describe(capabilitiesOf, () => {
  it.each([
    ['/Satoshi:29.4.3/', 290_403, true],
    ['/Satoshi:22.0.0/', 220_000, false],
    ['/LitecoinCore:0.21.2.1/', 210_201, false],
    ['/Bitcoin Cash Node:26.0.0(EB32.0)/', 26_000_000, true],
    ['/Bitcoin Cash Node:25.0.0(EB32.0)/', 25_000_000, false],
  ])('knows whether %s returns prevouts', (subversion, version, prevouts) => {
    expect(capabilitiesOf(findings({ network: { version, subversion } }), 'http://127.0.0.1:8332')).toMatchObject({ prevouts })
  })

  it.each([
    ['tcp://127.0.0.1:28332', 'tcp://127.0.0.1:28332'],
    ['tcp://*:28332', 'tcp://node.test:28332'],
    ['tcp://0.0.0.0:28332', 'tcp://node.test:28332'],
    ['tcp://[::]:28332', 'tcp://node.test:28332'],
  ])('finds the publisher at %s at %s', (address, zmq) => {
    const notifications = [
      { type: 'pubrawtx', address: 'tcp://127.0.0.1:1' },
      { type: 'pubhashblock', address },
    ]
    expect(capabilitiesOf(findings({ notifications }), 'http://user:secret@node.test:8332')).toMatchObject({ zmq })
  })

  it('works without a publisher', () => {
    expect(capabilitiesOf(findings({ notifications: new NodeRefusal(-32601, 'Method not found') }), 'http://x').zmq).toBeUndefined()
    expect(
      capabilitiesOf(findings({ notifications: [{ type: 'pubrawblock', address: 'tcp://127.0.0.1:1' }] }), 'http://x').zmq,
    ).toBeUndefined()
  })
})

function findings(overrides: Partial<ProbeReplies> = {}): ProbeReplies {
  return {
    chain: { pruned: false },
    network: { version: 290_000, subversion: '/Satoshi:29.0.0/' },
    rest: true,
    notifications: [],
    ...overrides,
  }
}
