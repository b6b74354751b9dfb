import { deploymentsOf } from '@trestle/contracts/areas'
import type { BitcoinChain, EvmChain, ServedChain } from '@trestle/contracts/chains/chain'
import { CHAIN_FAMILIES } from '@trestle/contracts/chains/chains'
import { identitiesOf } from '@trestle/contracts/nats/identities'
import { nkeyVariable } from './nats.ts'

// The parts of docker-compose.yml for each chain. The rest of the file is written by hand, around these.

/** The file, with the parts between its marks regenerated. */
export function withChains(text: string, chains: readonly ServedChain[]): string {
  const parts: Record<string, string> = {
    services: chains.map(servicesOf).join('\n'),
    addresses: addresses(chains),
    names: names(chains),
    nkeys: nkeys(chains),
  }
  return text.replace(
    /^( *# Chains, made by `npm run routes` \((\w+)\)\.\n).*?(^ *# End of chains\.\n)/gms,
    (_, begin: string, part: string, end: string) => begin + parts[part] + end,
  )
}

/** For the ingress and the console. A chain that has no node is not deployed. */
function addresses(chains: readonly ServedChain[]): string {
  const urls = chains.map((chain) => `      ${variable(chain)}_URL: \${${nodeVariable(chain)}:+http://${chain.name}:${chain.port}}\n`)
  return names(chains) + urls.join('')
}

function names(chains: readonly ServedChain[]): string {
  return `      TRESTLE_CHAINS: ${chains.map((chain) => `${chain.name}:${networkOf(chain)}`).join(',')}\n`
}

/** The public halves of the keys, for the NATS server. */
function nkeys(chains: readonly ServedChain[]): string {
  return identitiesOf(deploymentsOf(chains))
    .map(({ name }) => nkeyVariable(name))
    .map((name) => `      ${name}: \${${name}:?run npm run nats:identities}\n`)
    .join('')
}

function servicesOf(chain: ServedChain): string {
  return migration(chain) + (chain.family === 'bitcoin' ? index(chain) : gateway(chain))
}

function migration(chain: ServedChain): string {
  const { name, family } = chain
  const [{ app }, upper] = [CHAIN_FAMILIES[family], variable(chain)]
  const advice = `set ${upper}_DATABASE_PASSWORD in .env, for example to the output of "openssl rand -hex 24"`
  return `  migrate-${name}:
    <<: *migrate
    profiles: [${name}]
    image: trestle/${app}:\${TRESTLE_VERSION:-0.1.0}
    build: *${app}-build
    command: [node, ../../packages/database/dist/migrate-cli.js, "${app}:${name}"]
    environment:
      ADMIN_DATABASE_URL: postgresql://postgres:\${POSTGRES_PASSWORD:?set POSTGRES_PASSWORD in .env}@postgres:5432/postgres
      ${upper}_DATABASE_URL: &${name}-database postgresql://trestle_${name.replaceAll('-', '_')}:\${${nodeVariable(chain)}:+\${${upper}_DATABASE_PASSWORD:?${advice}}}@postgres:5432/trestle

`
}

function index(chain: BitcoinChain): string {
  const upper = variable(chain)
  return service(chain, [
    `NETWORK: ${networkOf(chain)}`,
    `NODE_URL: \${${upper}_NODE_URL:-}`,
    `NODE_ZMQ_URL: \${${upper}_NODE_ZMQ_URL:-}`,
    `START_HEIGHT: \${${upper}_START_HEIGHT:-0}`,
    `TRACK: \${${upper}_TRACK:-}`,
  ])
}

function gateway(chain: EvmChain): string {
  const upper = variable(chain)
  return service(chain, [`CHAIN_ID: ${networkOf(chain)}`, `NETWORK_ID: \${${upper}_NETWORK_ID:-}`, `UPSTREAMS: \${${upper}_UPSTREAMS:-}`])
}

function service({ name, family, port }: ServedChain, settings: readonly string[]): string {
  const { app } = CHAIN_FAMILIES[family]
  return `  ${name}:
    <<: *${app}
    profiles: [${name}]
    environment:
      <<: *${app}-environment
      PORT: ${port}
      INTERNAL_PORT: ${port + 1000}
      BASE_PATH: /${name}
      OTEL_SERVICE_NAME: ${name}
      CHAIN: ${name}
${settings.map((setting) => `      ${setting}\n`).join('')}      DATABASE_URL: *${name}-database
      NATS_NKEY_SEED: \${${nkeyVariable(name)}_SEED:?run npm run nats:identities}
    depends_on:
      postgres: { condition: service_healthy }
      nats: { condition: service_healthy }
      migrate-${name}: { condition: service_completed_successfully }
`
}

function networkOf(chain: ServedChain): string {
  const upper = variable(chain)
  return chain.family === 'bitcoin' ? `\${${upper}_NETWORK:-${chain.network}}` : `\${${upper}_CHAIN_ID:-}`
}

/** Set where the chain runs. */
function nodeVariable(chain: ServedChain): string {
  return `${variable(chain)}_${chain.family === 'bitcoin' ? 'NODE_URL' : 'UPSTREAMS'}`
}

function variable({ name }: ServedChain): string {
  return name.toUpperCase().replaceAll('-', '_')
}
