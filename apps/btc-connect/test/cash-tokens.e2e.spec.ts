import { eventually } from '@trestle/testing/eventually'
import { startDeployment, type TestDeployment } from './deployment.js'
import { FakeNode } from './fake-node.js'
import { SeededChain, type SeededOutput } from './seeded/seeded-chain.js'
import { GENESIS, minedAfter } from './small-chain.js'

// Bitcoin Cash through the whole service, on blocks made here: outputs with tokens (CHIP-2022-02) and scripts of 32-byte hashes.

const ADA = Buffer.from('76a914751e76e8199196d454941c45d1b3a323f1433bd688ac', 'hex')
const VAULT = Buffer.from(`aa20${'32'.repeat(32)}87`, 'hex')
const ADDRESS = 'bchreg:qp63uahgrxged4z5jswyt5dn5v3lzsem6c6mz8vuwd'
const TOKEN_ADDRESS = 'bchreg:zp63uahgrxged4z5jswyt5dn5v3lzsem6ca33ez637'
const LEGACY = 'mrCDrCybB6J1vRfbwM5hemdJz73FwDBC8r'
const VAULT_ADDRESS = 'bchreg:pveryv3jxgeryv3jxgeryv3jxgeryv3jxgeryv3jxgeryv3jxgeryu79q4hqs'

const CATEGORY = 'bb'.repeat(32)
const MOST = 'ffffffffffffffff7f'
/** A thousand of them. */
const TOKENS = Buffer.from(`ef${CATEGORY}10fde803`, 'hex')
/** One that can mint others and says something, and the largest amount. */
const MINTING = Buffer.from(`ef${CATEGORY}7203abcdef${MOST}`, 'hex')
/** The amount is zero: that is no prefix, and nobody can spend the script. */
const BROKEN = Buffer.from(`ef${CATEGORY}1000`, 'hex')

function having(prefix: Buffer, { script, value }: SeededOutput): SeededOutput {
  return { value, script: Buffer.concat([prefix, script]) }
}

const made = new SeededChain()
const coinbase = () => made.coinbase({ payTo: { script: ADA, value: 5_000_000_000n } })
const first = coinbase()
const paid = made.transaction(
  [{ txid: first.txid, vout: 0 }],
  [
    having(TOKENS, { script: ADA, value: 1_000n }),
    having(MINTING, { script: VAULT, value: 2_000n }),
    having(BROKEN, { script: ADA, value: 3_000n }),
    { script: ADA, value: 4_000n },
  ],
)
const spent = made.transaction([{ txid: paid.txid, vout: 0 }], [having(TOKENS, { script: VAULT, value: 700n })])
const hex = ({ txid }: { txid: Buffer }) => txid.toString('hex')

/** The coinbase that is spent, the tokens, a block with nothing, and one that spends the tokens. */
function blocks(): Buffer[] {
  const chain: Buffer[] = [GENESIS]
  for (const payments of [[], [paid], [], [spent]]) {
    const transactions = [chain.length === 1 ? first : coinbase(), ...payments]
    chain.push(minedAfter(chain.at(-1)!, transactions, chain.length))
  }
  return chain
}

describe.each([
  ['in bulk', '1'],
  ['block by block', '1000000'],
])('tokens on Bitcoin Cash, indexed %s', (_, BULK_MIN_BLOCKS) => {
  const chain = blocks()
  let node: FakeNode
  let deployment: TestDeployment

  beforeAll(async () => {
    node = await FakeNode.start(chain)
    deployment = await startDeployment({ coin: 'bch', nodeUrl: node.url, settings: { BULK_MIN_BLOCKS } })
    await isAt(4)
  })

  afterAll(async () => {
    await deployment.stop()
    await node.stop()
  })

  it.each([ADDRESS, ADDRESS.slice(7), TOKEN_ADDRESS, LEGACY])(
    'belong to the owner of the script behind their prefix: %s',
    async (address) => {
      const { body } = await deployment.get(`/addr/${address}`)
      // Four coinbases and two outputs, of which one coinbase and the tokens are spent.
      expect(body).toMatchObject({ totalReceivedSat: 20_000_005_000, totalSentSat: 5_000_001_000, txApperances: 6 })
      expect(body.transactions).toContain(hex(spent))
    },
  )

  it('are locked in scripts of 32-byte hashes as well', async () => {
    const { body } = await deployment.get(`/addr/${VAULT_ADDRESS}/utxo`)
    expect(body.map(({ txid, vout, satoshis, scriptPubKey }: Record<string, unknown>) => ({ txid, vout, satoshis, scriptPubKey }))).toEqual(
      [
        { txid: hex(spent), vout: 0, satoshis: 700, scriptPubKey: VAULT.toString('hex') },
        { txid: hex(paid), vout: 1, satoshis: 2_000, scriptPubKey: VAULT.toString('hex') },
      ],
    )
  })

  it('are not in the script that a transaction shows, but in its bytes', async () => {
    const { body } = await deployment.get(`/tx/${hex(paid)}`)
    expect(body.vout.map(({ scriptPubKey }: { scriptPubKey: object }) => scriptPubKey)).toMatchObject([
      { hex: ADA.toString('hex'), addresses: [ADDRESS], type: 'pubkeyhash' },
      { hex: VAULT.toString('hex'), addresses: [VAULT_ADDRESS], type: 'scripthash' },
      { hex: Buffer.concat([BROKEN, ADA]).toString('hex'), addresses: [], type: 'nonstandard' },
      { hex: ADA.toString('hex'), addresses: [ADDRESS], type: 'pubkeyhash' },
    ])
    expect(body.vout[0]).toMatchObject({ spentTxId: hex(spent), spentIndex: 0, spentHeight: 4 })
    expect(body.size).toBe(paid.raw.length)
  })

  it('are restored when the block that spent them is disconnected, and unconfirmed again', async () => {
    const other = minedAfter(chain[3]!, [coinbase()], 5)
    node.mempool = [spent]
    node.blocks = [...chain.slice(0, 4), other, minedAfter(other, [coinbase()], 6)]
    await isAt(5)
    await eventually(async () => (await deployment.get(`/tx/${hex(spent)}`)).body.confirmations === 0 || undefined, 'it waits')
    expect((await deployment.get(`/addr/${ADDRESS}`)).body).toMatchObject({
      totalReceivedSat: 25_000_005_000,
      totalSentSat: 5_000_000_000,
      unconfirmedBalanceSat: -1_000,
    })
    expect((await deployment.get(`/addr/${VAULT_ADDRESS}`)).body).toMatchObject({ balanceSat: 2_000, unconfirmedBalanceSat: 700 })
  })

  async function isAt(height: number): Promise<void> {
    await eventually(async () => {
      const { body } = await deployment.get('/sync')
      return (body.height === height && body.status === 'finished') || undefined
    }, `the index is at ${height}`)
  }
})
