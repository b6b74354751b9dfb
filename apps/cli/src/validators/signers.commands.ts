import { staking } from '@trestle/contracts/staking/api'
import type { RegionSigner } from '@trestle/contracts/staking/custody'
import { command, YES } from '../command/command.js'
import { EXIT, Failure } from '../failure/failure.js'
import { relative } from '../output/duration.js'
import { plainKey, shortKey } from './validator-views.js'

const { custody } = staking
const base = ''

const list = command({
  name: 'signers list',
  about: 'The signer of each region: which one it is bound to, and what answers. Administrators only.',
  calls: { base, endpoints: [custody.signers] },
  examples: [['trestle signers list', 'each with its state']],
  run: ({ api }) => api.staking.custody.signers(),
  view: (signers) => ({
    head: ['CHAIN', 'REGION', 'STATE', 'KEYS', 'UNKNOWN', 'IDENTITY', 'DETAILS'],
    rows: signers.map((signer) => [
      ...[signer.chain, signer.region, signer.state, String(signer.keys), String(signer.unknownKeys), signer.identity ?? '-'],
      detailsOf(signer),
    ]),
  }),
})

const accept = command({
  name: 'signers accept',
  about: 'Accept the signer that answers for a region now. Administrators only.',
  details: [
    'First make sure that the former signer is gone for ever: a key that two signers have gets its validator slashed.',
    'Keys that the new one does not list then count as lost: trestle lost-keys list.',
  ],
  args: { chain: { about: 'the chain' }, region: { about: 'the region' } },
  options: YES,
  calls: { base, endpoints: [custody.signers, custody.accept] },
  examples: [['trestle signers accept mainnet eu', 'after a confirmation']],
  async run({ api, args, options, terminal }) {
    const signers = await api.staking.custody.signers()
    const other = signers.find(({ chain, region }) => chain === args.chain && region === args.region)?.other
    if (!other) throw new Failure(EXIT.usage, `No other signer answers for ${args.region} of ${args.chain}.`)
    await terminal.confirm(`Is the former signer gone for ever, so that ${other.identity} may get keys of ${args.region}?`, options.yes)
    await api.staking.custody.accept({ params: { chain: args.chain, region: args.region }, body: { identity: other.identity } })
    terminal.note(`${args.region} of ${args.chain} is bound to ${other.identity}.`)
    return undefined
  },
})

const lostKeys = command({
  name: 'lost-keys list',
  about: 'Keys that a signer no longer has. Administrators only.',
  calls: { base, endpoints: [custody.lostKeys] },
  examples: [['trestle lost-keys list', 'the oldest loss first']],
  run: ({ api }) => api.staking.custody.lostKeys(),
  view: (keys, now) => ({
    head: ['PUBLIC KEY', 'CHAIN', 'REGION', 'STATUS', 'LOST', 'SILENT EPOCHS', 'ALLOWED'],
    rows: keys.map(({ pubkey, chain, region, status, lostAt, silentEpochs, allowedAt }) => [
      ...[pubkey, chain, region, status ?? '-', relative(lostAt, now), String(silentEpochs), allowedAt ? relative(allowedAt, now) : 'no'],
    ]),
  }),
})

const recover = command({
  name: 'lost-keys recover',
  about: 'Allow the import of a lost key. Administrators only.',
  details: [
    'First make sure that no other signer has it: two signers get a validator slashed. An active one waits until the chain was silent for three epochs.',
  ],
  args: { pubkey: { about: 'the public key of the validator' } },
  options: YES,
  calls: { base, endpoints: [custody.recover] },
  examples: [['trestle lost-keys recover 8f3a...c1', 'after a confirmation']],
  async run({ api, args, options, terminal }) {
    const pubkey = plainKey(args.pubkey)
    await terminal.confirm(`Is it certain that no other signer has ${shortKey(pubkey)}?`, options.yes)
    await api.staking.custody.recover({ params: { pubkey } })
    terminal.note(`${shortKey(pubkey)} is imported when the chain shows that nobody signs with it.`)
    return undefined
  },
})

function detailsOf({ other, away }: RegionSigner): string {
  if (away) return away.reason
  return other ? `another signer answers: ${other.identity}` : ''
}

export const signersCommands = [list, accept, lostKeys, recover]
