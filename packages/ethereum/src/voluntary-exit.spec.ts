import fc from 'fast-check'
import { network, secretKey, uint64 } from '../test/arbitraries.js'
import { expectParsedOrMalformed } from '../test/malformed.js'
import { publicKeyOf } from './bls.js'
import { InvalidEthereumData } from './malformed.js'
import { formatExit, isValidExit, parseExit, signExit } from './voluntary-exit.js'

const message = fc.record({ epoch: uint64, validatorIndex: uint64 })
const exits = fc.record({ key: secretKey, message, network })

describe(signExit, () => {
  it('makes an exit of this validator, on this network, and of no other', () => {
    fc.assert(
      fc.property(exits, message, network, secretKey, ({ key, message, network }, otherMessage, otherNetwork, otherKey) => {
        const exit = signExit(key, message, network)
        expect(isValidExit(exit, publicKeyOf(key), network)).toBe(true)
        expect(isValidExit(exit, publicKeyOf(otherKey), network)).toBe(otherKey === key)
        expect(isValidExit(exit, publicKeyOf(key), otherNetwork)).toBe(otherNetwork.name === network.name)
        const isSame = otherMessage.epoch === message.epoch && otherMessage.validatorIndex === message.validatorIndex
        expect(isValidExit({ ...exit, message: otherMessage }, publicKeyOf(key), network)).toBe(isSame)
      }),
      { numRuns: 20 },
    )
  })
})

describe(parseExit, () => {
  it('reads what was written, as an object and as text', () => {
    fc.assert(
      fc.property(exits, ({ key, message, network }) => {
        const exit = signExit(key, message, network)
        expect(parseExit(formatExit(exit))).toEqual(exit)
        expect(parseExit(JSON.stringify(formatExit(exit)))).toEqual(exit)
      }),
      { numRuns: 10 },
    )
  })

  it('finds anything else malformed', () => {
    fc.assert(fc.property(fc.anything(), (noise) => expectParsedOrMalformed(() => parseExit(noise))))
    expect(() => parseExit({ message: { epoch: 1, validator_index: '2' }, signature: '0x' })).toThrow(
      new InvalidEthereumData('A signed voluntary exit.message.epoch is not a string.'),
    )
  })
})
