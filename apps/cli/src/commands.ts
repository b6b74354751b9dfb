import { accountCommands } from './accounts/account.commands.js'
import { approvalsCommands } from './accounts/approvals.commands.js'
import { eventsCommands } from './accounts/events.commands.js'
import { factorsCommands } from './accounts/factors.commands.js'
import { identitiesCommands } from './accounts/identities.commands.js'
import { keysCommands } from './accounts/keys.commands.js'
import { loginCommands } from './accounts/login.commands.js'
import { orgsCommands } from './accounts/orgs.commands.js'
import { policyCommands } from './accounts/policy.commands.js'
import { rolesCommands } from './accounts/roles.commands.js'
import { serviceAccountsCommands } from './accounts/service-accounts.commands.js'
import { signupCommands } from './accounts/signup.commands.js'
import { billingCommands } from './billing/billing.commands.js'
import { btcCommands } from './btc/btc.commands.js'
import { chainsCommands } from './chains/chains.commands.js'
import { clustersCommands } from './clusters/clusters.commands.js'
import type { Command } from './command/command.js'
import { completionCommands } from './command/completion.commands.js'
import type { Groups } from './command/help.js'
import { ethCommands } from './eth/eth.commands.js'
import { failuresCommands } from './eth/failures.commands.js'
import { limitsCommands } from './eth/limits.commands.js'
import { projectKeysCommands } from './eth/project-keys.commands.js'
import { projectLimitsCommands } from './eth/project-limits.commands.js'
import { projectTokensCommands } from './eth/project-tokens.commands.js'
import { nodesCommands } from './nodes/nodes.commands.js'
import { doctorCommands } from './platform/doctor.commands.js'
import { localCommands } from './platform/local.commands.js'
import { statusCommands } from './platform/status.commands.js'
import { signersCommands } from './validators/signers.commands.js'
import { validatorsCommands } from './validators/validators.commands.js'

/** All commands, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...signupCommands,
  ...loginCommands,
  ...accountCommands,
  ...identitiesCommands,
  ...factorsCommands,
  ...keysCommands,
  ...eventsCommands,
  ...orgsCommands,
  ...policyCommands,
  ...rolesCommands,
  ...serviceAccountsCommands,
  ...approvalsCommands,
  ...nodesCommands,
  ...clustersCommands,
  ...validatorsCommands,
  ...signersCommands,
  ...billingCommands,
  ...chainsCommands,
  ...btcCommands,
  ...ethCommands,
  ...projectLimitsCommands,
  ...projectTokensCommands,
  ...projectKeysCommands,
  ...failuresCommands,
  ...limitsCommands,
  ...statusCommands,
  ...localCommands,
  ...doctorCommands,
  ...completionCommands(() => COMMANDS),
]

export const GROUPS: Groups = {
  account: 'Your e-mail address, your data, and the end of your account.',
  'account identities': 'Your identities at identity providers.',
  factors: 'Second factors of your account, and recovery codes.',
  keys: 'Client keys, for programs that act on your behalf.',
  orgs: 'Organizations, their members and invitations.',
  roles: 'What members of an organization may do: its roles, and those of its own making.',
  'service-accounts': 'Members of an organization that are no persons.',
  approvals: 'What a second person of the organization has to approve.',
  nodes: 'Your blockchain nodes.',
  clusters: 'Several nodes of one chain behind one URL.',
  validators: 'Ethereum validators, from key to withdrawal.',
  signers: 'The signers of validators, by region.',
  'lost-keys': 'Keys of validators that signers lost.',
  billing: 'What your organization earned.',
  btc: 'Chains of the Bitcoin family: addresses, transactions, blocks.',
  eth: 'Chains of the Ethereum family: calls, projects, usage, failures.',
  'eth keys': 'Keys of a project: URLs that end one by one.',
  'eth limits': 'How high the limits of projects may be set.',
  'eth projects': 'Projects to call JSON-RPC through.',
}
