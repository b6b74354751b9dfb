import { ethRpc } from '@trestle/contracts/eth-rpc/api'
import { chainOption, chosenChain } from '../chains/chain-choice.js'
import { command, flag, text } from '../command/command.js'
import { EXIT, Failure } from '../failure/failure.js'
import { selectProject } from './project.js'

const CHAIN = chainOption('evm')

const tokens = command({
  name: 'eth projects tokens',
  about: 'Let users of your app call a project with the tokens of its identity provider.',
  details: [
    'From then on calls need a token: one of that provider (a JWT of RS256, ES256 or EdDSA), or one of yours.',
    'Without options, shows what is set.',
  ],
  args: { project: { about: 'its name or the beginning of its id' } },
  options: {
    ...CHAIN,
    'jwks-url': text('url', "where the provider's public keys are"),
    issuer: text('issuer', 'the claim iss of its tokens'),
    audience: text('audience', 'the claim aud of tokens for your app'),
    remove: flag('no tokens of a provider any more; calls still need one of yours'),
  },
  calls: { base: '/{chain}', endpoints: [ethRpc.projects.list, ethRpc.projects.change] },
  examples: [
    [
      'trestle eth projects tokens mine --jwks-url https://id.example/.well-known/jwks.json --issuer https://id.example/ --audience my-app',
      'for the users of an app',
    ],
    ['trestle eth projects tokens mine --remove', 'no more'],
  ],
  run: async (run) => {
    const { 'jwks-url': jwksUrl, issuer, audience, remove } = run.options
    const given = [jwksUrl, issuer, audience].filter((each) => each !== undefined).length
    if (given % 3 !== 0 || (given > 0 && remove))
      throw new Failure(EXIT.usage, 'Pass --jwks-url, --issuer and --audience together, or --remove.')
    const api = run.api.evm(await chosenChain(run, 'evm', run.options.chain))
    const project = selectProject(await api.projects.list(), run.args.project)
    const params = { projectId: project.id }
    if (remove) return api.projects.change({ params, body: { tokens: null } })
    if (jwksUrl === undefined || issuer === undefined || audience === undefined) return project
    return api.projects.change({ params, body: { tokens: { jwksUrl, issuer, audience }, requireToken: true } })
  },
  view: ({ name, requireToken, tokens: provider }) => ({
    fields: [
      ['name', name],
      ['token', requireToken ? 'needed' : 'no'],
      ['keys', provider?.jwksUrl ?? 'none'],
      ['issuer', provider?.issuer],
      ['audience', provider?.audience],
    ],
  }),
})

export const projectTokensCommands = [tokens]
