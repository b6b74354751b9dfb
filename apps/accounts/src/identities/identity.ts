import type { ProviderIdentity } from '@trestle/contracts/accounts/identities'
import { Problem } from '@trestle/problem/problem'
import type { ProviderSettings } from '../identity-providers/provider-settings.js'

/** An identity that opens a user's account. */
export interface IdentityRecord {
  readonly id: string
  readonly issuer: string
  readonly subject: string
  /** The id of the provider at the last sign-in. */
  readonly provider: string
  readonly name: string | null
  readonly email: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date
}

/** What else a user may sign in with. */
interface SignInRules {
  readonly hasPassword: boolean
  readonly providers: readonly ProviderSettings[]
  /** The only provider that the domain of the user's address allows, if there is one. */
  readonly required?: ProviderSettings
}

export function describeIdentity(
  { id, issuer, provider, subject, name, email, createdAt, lastUsedAt }: IdentityRecord,
  providers: readonly ProviderSettings[],
): ProviderIdentity {
  const title = providers.find((each) => each.id === provider && each.issuer === issuer)?.title
  const said = { name: name ?? undefined, email: email ?? undefined }
  return { id, provider, title, subject, ...said, linkedAt: createdAt.toISOString(), lastUsedAt: lastUsedAt.toISOString() }
}

/** Of the identities of a user, the one that they want to unlink. Problem `LastSignIn` where nothing else would let them in. */
export function requireUnlinkable(identities: readonly IdentityRecord[], id: string, rules: SignInRules): IdentityRecord {
  const unlinked = identities.find((each) => each.id === id)
  if (!unlinked) throw unknownIdentity()
  const hasOther = identities.some((each) => each.id !== id && opensAccount(each, rules))
  if (!rules.hasPassword && !hasOther) throw lastSignIn(rules.required)
  return unlinked
}

/** A user is known by the issuer: the provider may have another id by now. */
function opensAccount({ issuer }: IdentityRecord, { providers, required }: SignInRules): boolean {
  return providers.some((each) => each.issuer === issuer && (required === undefined || required.id === each.id))
}

function unknownIdentity(): Problem {
  return new Problem('unknown', 'UnknownIdentity', 'You have no identity with this id.')
}

function lastSignIn(required: Pick<ProviderSettings, 'title'> | undefined): Problem {
  const why = required
    ? `Users of your e-mail domain sign in with ${required.title} only, and you have no other identity there; ask whoever runs it.`
    : 'You could not sign in any more: first set a password, as for a forgotten one, or sign in here with another identity of yours.'
  return new Problem('conflict', 'LastSignIn', why)
}
