import { exchangeCoins } from './activity.js'
import { MINER, PEOPLE, SHOP } from './owners.js'
import { type SpendableOutput, sumOfOutputs } from './payment.js'

const coinOf = (i: number, value = 4_000_000n): SpendableOutput => ({ txid: String(i).padStart(64, '0'), vout: i, value, owner: MINER })

describe(exchangeCoins, () => {
  it('keeps the number of coins and their value, but for the fee', () => {
    const coins = [coinOf(1), coinOf(2)]
    for (let turn = 1; turn <= 70; turn++) {
      const { outputs } = exchangeCoins(coins, turn)
      expect(sumOfOutputs(coins) - sumOfOutputs(outputs)).toBe(2000n)
      expect(outputs.slice(0, 2).every(({ value }) => value > 2_000_000n)).toBe(true)
    }
  })

  it('makes no output that a node of Knots refuses, whoever pays', () => {
    for (const owner of PEOPLE) {
      const { outputs } = exchangeCoins([{ ...coinOf(1), owner }, coinOf(2)], 1)
      expect(outputs.every(({ script }) => script.length <= 34)).toBe(true)
    }
  })

  it('pays the shop and each person in turn', () => {
    const paid = Array.from({ length: 32 }, (_, turn) => exchangeCoins([coinOf(1), coinOf(2)], turn).outputs[0]?.script.toString('hex'))
    expect(paid.filter((script) => script === SHOP.script.toString('hex'))).toHaveLength(16)
    expect(new Set(paid).size).toBe(17)
  })
})
