import { Inject, Injectable } from '@nestjs/common'
import type { IdentityProvider } from '@trestle/contracts/accounts/identity-providers'
import type { AccountsEnv } from '../env.js'
import { ENV } from '../settings.module.js'
import { parseEmail } from '../users/email.js'
import { describeProvider, type ProviderSettings, requiredProvider } from './provider-settings.js'
import { signInWithProvider, unknownProvider } from './sign-in-attempt.js'

/** The configured identity providers, and what they decide about e-mail domains. */
@Injectable()
export class ProviderDirectoryService {
  constructor(@Inject(ENV) private readonly env: AccountsEnv) {}

  get providers(): readonly ProviderSettings[] {
    return this.env.identityProviders
  }

  list(): IdentityProvider[] {
    return this.providers.map(describeProvider)
  }

  /** Problem `UnknownProvider` if there is none. */
  get(id: string): ProviderSettings {
    const provider = this.providers.find((each) => each.id === id)
    if (!provider) throw unknownProvider()
    return provider
  }

  /** The only provider that the users of this address's domain sign in with, if there is one. */
  requiredFor(address: string): ProviderSettings | undefined {
    const email = parseEmail(address)
    return email && requiredProvider(this.providers, email.canonical)
  }

  /** Problem `SignInWithProvider` if the users of this address's domain sign in with a provider only, and not with this one. */
  requireAllowed(address: string, provider?: Pick<ProviderSettings, 'id'>): void {
    const required = this.requiredFor(address)
    if (required && required.id !== provider?.id) throw signInWithProvider(required, this.env.PUBLIC_URL)
  }
}
