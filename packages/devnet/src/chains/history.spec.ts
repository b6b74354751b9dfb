import { purchases } from './history.js'
import { MINER, SHOP } from './owners.js'
import { type SpendableOutput, sumOfOutputs, txidOf } from './payment.js'

const coinOf = (i: number, value = 4_000_000n): SpendableOutput => ({ txid: String(i).padStart(64, '0'), vout: i, value, owner: MINER })

describe(purchases, () => {
  const purses = Array.from({ length: 1200 }, (_, i) => coinOf(i))
  const payments = purchases(purses, 0, purses.length)

  it('pay the shop, every one of them, and for their block', () => {
    expect(payments.every(({ outputs }) => outputs[0]?.script.equals(SHOP.script))).toBe(true)
    expect(new Set(payments.map(({ coins, outputs }) => sumOfOutputs(coins) - sumOfOutputs(outputs)))).toEqual(new Set([1000n]))
  })

  it('spend what the shop was paid a block before, and that once', () => {
    const spent = payments.flatMap(({ coins }, i) => coins.slice(1).map((coin) => ({ ...coin, i })))
    expect(spent).toHaveLength(275)
    for (const { txid, value, i } of spent) {
      expect(txid).toBe(txidOf(payments[i - 103] as (typeof payments)[0]))
      expect(value).toBe(payments[i - 103]?.outputs[0]?.value)
    }
    expect(new Set(spent.map(({ txid }) => txid)).size).toBe(275)
  })
})
