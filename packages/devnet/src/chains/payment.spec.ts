import { MINER, SHOP } from './owners.js'
import { decimalCoins, paymentSigningCall, type SpendableOutput, serializeUnsigned, smallestUnits, txidOf } from './payment.js'

const coinOf = (i: number, value = 4_000_000n): SpendableOutput => ({ txid: String(i).padStart(64, '0'), vout: i, value, owner: MINER })

describe('money', () => {
  it.each([
    [0n, '0.00000000'],
    [1n, '0.00000001'],
    [50_00000000n, '50.00000000'],
    [2_100_000_12345678n, '2100000.12345678'],
  ])('%s is %s for a node', (value, text) => {
    expect(decimalCoins(value)).toBe(text)
    expect(smallestUnits(JSON.parse(text))).toBe(value)
  })
})

describe(serializeUnsigned, () => {
  it('has an id that does not hang on signatures in witnesses', () => {
    const payment = { coins: [coinOf(1)], outputs: [{ value: 5n, script: SHOP.script }] }
    const bytes = serializeUnsigned(payment).toString('hex')
    expect(bytes).toBe(
      `0200000001${'01'.padEnd(64, '0')}0100000000fdffffff01${'05'.padEnd(16, '0')}19${SHOP.script.toString('hex')}00000000`,
    )
    expect(txidOf(payment)).toMatch(/^[0-9a-f]{64}$/)
  })

  it('counts many outputs as the protocol does', () => {
    const outputs = Array.from({ length: 1200 }, () => ({ value: 1n, script: MINER.script }))
    expect(
      serializeUnsigned({ coins: [coinOf(1)], outputs })
        .subarray(46, 49)
        .toString('hex'),
    ).toBe('fdb004')
  })

  it('is signed with one key for each owner', () => {
    const [method, , keys, spent] = paymentSigningCall({ coins: [coinOf(1), coinOf(2)], outputs: [] })
    expect([method, keys]).toEqual(['signrawtransactionwithkey', [MINER.key.wif]])
    expect(spent).toEqual(
      [1, 2].map((vout) => expect.objectContaining({ vout, amount: '0.04000000', scriptPubKey: MINER.script.toString('hex') })),
    )
  })
})
