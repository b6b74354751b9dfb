import { readFileSync } from 'node:fs'
import type { DevnetInfo } from '@trestle/devnet/devnet-info'
import { createTrestle } from '@trestle/sdk/trestle'
import { tokenMailedTo } from '../mailbox.js'

/** The platform that all stories share; each story uses a user of its own. */
export const platform = JSON.parse(readFileSync(process.env.STORIES_DEVNET ?? '', 'utf8')) as DevnetInfo

export interface Person {
  readonly email: string
  readonly password: string
}

/** A new user with a verified address. */
export async function newcomer(name: string): Promise<Person> {
  const person = { email: `${name}@example.org`, password: 'three quiet owls at noon' }
  const { users } = createTrestle({ url: platform.ingress }).accounts
  const billingAddress = { country: 'GB', zipCode: 'W1', address: 'St James Square 12', state: 'London' }
  await users.register({ body: { ...person, displayName: name, billingAddress } })
  await users.verify({ params: { userId: person.email, token: await tokenMailedTo(person.email, platform.mailbox) } })
  return person
}
