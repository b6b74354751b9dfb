import { deploymentsOf } from '@trestle/contracts/areas'
import type { ServedChain } from '@trestle/contracts/chains/chain'
import { authorization, natsUsers } from '@trestle/contracts/nats/authorization'
import { identitiesOf } from '@trestle/contracts/nats/identities'

/** The configuration of the NATS server: it has no secrets, and takes the public halves of the keys from its environment. */
export function natsConfiguration(chains: readonly ServedChain[]): string {
  const users = natsUsers(identitiesOf(deploymentsOf(chains)), ({ name }) => `$${nkeyVariable(name)}`)
  return `# Made by \`npm run routes\` from the contracts: what each deployment may publish and subscribe to.
# A server of your own needs the block \`authorization\`, and in its environment what \`npm run nats:identities\` writes.
listen: "0.0.0.0:4222"
# For the probe of its own container.
http: "127.0.0.1:8222"
jetstream { store_dir: "/data" }
${authorization(users)}`
}

/** The variable with the public half of a deployment's key; with `_SEED` that of the secret half. */
export function nkeyVariable(deployment: string): string {
  return `${deployment.toUpperCase().replaceAll('-', '_')}_NATS_NKEY`
}
