import { deriveSecretKey, publicKeyOf, sign } from '../src/bls.js'
import { parseHex } from '../src/hex.js'
import { computeSigningRoot, depositSigningRoot, exitSigningRoot } from '../src/signing.js'
import { voluntaryExitRoot } from '../src/ssz.js'
import { formatExit, isValidExit, parseExit, type SignedVoluntaryExitJson } from '../src/voluntary-exit.js'
import { readVectors } from './vectors.js'

type Texts = Record<string, string>

const roots = readVectors<{ deposit: Texts; exit: Texts }>('web3signer-signing-roots')
const exits = readVectors<{
  lido: { pubkey: string; capella: SignedVoluntaryExitJson; bellatrix: SignedVoluntaryExitJson }
  ethdo: { seed: string; path: string; pubkey: string; exit: SignedVoluntaryExitJson }
}>('exits')

describe('the signing root of web3signer', () => {
  it('of a deposit is ours', () => {
    const { pubkey, withdrawalCredentials, amountGwei, genesisForkVersion, signingRoot } = roots.deposit as Required<Texts>
    const message = { pubkey: parseHex(pubkey!), withdrawalCredentials: parseHex(withdrawalCredentials!), amountGwei: BigInt(amountGwei!) }
    expect(depositSigningRoot(message, { genesisForkVersion: parseHex(genesisForkVersion!) })).toEqual(parseHex(signingRoot!))
  })

  it('of an exit is ours', () => {
    const { epoch, validatorIndex, forkVersion, genesisValidatorsRoot, signingRoot } = roots.exit as Required<Texts>
    const message = { epoch: BigInt(epoch!), validatorIndex: BigInt(validatorIndex!) }
    const network = { capellaForkVersion: parseHex(forkVersion!), genesisValidatorsRoot: parseHex(genesisValidatorsRoot!) }
    expect(exitSigningRoot(message, network)).toEqual(parseHex(signingRoot!))
  })
})

describe('EIP-7044', () => {
  const genesisValidatorsRoot = parseHex('9143aa7c615a7f7115e2b6aac319c03529df8242ae705fba9df39b79c59fa8b1')
  const holesky = { capellaForkVersion: parseHex('04017000'), genesisValidatorsRoot }
  const pubkey = parseHex(exits.lido.pubkey)

  it('takes the exit that Lido signed under Capella', () => {
    expect(isValidExit(parseExit(exits.lido.capella), pubkey, holesky)).toBe(true)
  })

  it('refuses the same one signed under Bellatrix, which is a signature of that fork', () => {
    const exit = parseExit(exits.lido.bellatrix)
    expect(isValidExit(exit, pubkey, holesky)).toBe(false)
    expect(isValidExit(exit, pubkey, { capellaForkVersion: parseHex('03017000'), genesisValidatorsRoot })).toBe(true)
  })
})

it('the exit of ethdo is ours, from the seed on', () => {
  const { seed, path, pubkey, exit } = exits.ethdo
  const key = deriveSecretKey(parseHex(seed), path)
  expect(publicKeyOf(key).toString('hex')).toBe(pubkey)
  // The chain of that test has no domain at all.
  const root = computeSigningRoot(voluntaryExitRoot(parseExit(exit).message), Buffer.alloc(32))
  expect(formatExit({ ...parseExit(exit), signature: sign(key, root) })).toEqual(exit)
})
