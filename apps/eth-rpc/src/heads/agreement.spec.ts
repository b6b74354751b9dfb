import { agreementOf } from './agreement.js'
import { type ChainBlock, FollowedChain } from './followed-chain.js'

describe(agreementOf, () => {
  it.each([
    ['is our head', block(6), 'agrees'],
    ['is behind on our chain', block(5), 'agrees'],
    ['is behind on another', block(5, 'b', '4'), 'differs'],
    ['is another of the same height', block(6, 'b', '5'), 'differs'],
    ['follows on our head', block(7), 'agrees'],
    ['is ahead on another chain', block(7, 'b', '6b'), 'differs'],
    ['is further ahead, by blocks it told of', block(8), 'agrees'],
    ['is further ahead, by blocks nobody knows', block(9, 'b', '8b'), 'unknown'],
  ])('judges a head that %s', (_, head, expected) => {
    const chain = new FollowedChain()
    chain.apply({ removed: [], added: [block(4), block(5), block(6)] })
    expect(agreementOf(chain, head, ({ parentHash }) => (parentHash === '7' ? block(7) : undefined))).toBe(expected)
  })

  it('is unknown before there is a chain', () => {
    expect(agreementOf(new FollowedChain(), block(6), () => undefined)).toBe('unknown')
  })
})

function block(number: number, branch = '', parentHash = String(number - 1)): ChainBlock {
  return { number, hash: `${number}${branch}`, parentHash, header: '{}', receivedAt: 0 }
}
