import { setTimeout as pause } from 'node:timers/promises'
import { request } from 'undici'
import { quantile } from '../src/load.ts'
import { startPlatform } from '../src/platform.ts'
import { report, rounded } from '../src/verdict.ts'

// A session is ended at one replica of accounts. From that answer on, how long does its token open what else there is? The replica that ended
// it is the floor: nobody has to tell it.

const LIMIT_MS = 2_000
const ROUNDS = 50
const PAUSE_MS = 5

const platform = await startPlatform(['accounts', 'staking'])
const second = await platform.startReplica('accounts')
const staking = platform.info.services['staking']?.url ?? ''
const PLACES = {
  'accounts, that ended it': `${platform.accounts.url}/users/me`,
  'accounts, another replica': `${second.url}/users/me`,
  staking: `${staking}/staking/ethereum/chains`,
}

const millis = new Map<string, number[]>(Object.keys(PLACES).map((place) => [place, []]))
for (let round = 0; round < ROUNDS; round++) {
  const headers = { authorization: `Bearer ${await platform.signIn()}` }
  for (const url of Object.values(PLACES)) if (!(await opens(url, headers))) throw new Error(`${url} refuses a new token`)
  const ended = await request(`${platform.accounts.url}/users/me/sessions`, { method: 'DELETE', headers })
  await ended.body.dump()
  const since = performance.now()
  await Promise.all(
    Object.entries(PLACES).map(async ([place, url]) => {
      while (await opens(url, headers)) await pause(PAUSE_MS)
      millis.get(place)?.push(performance.now() - since)
    }),
  )
}
await second.stop()
await platform.stop()

const rows = [...millis].map(([where, times]) => {
  const sorted = times.toSorted((a, b) => a - b)
  return {
    where,
    'p50 ms': rounded(quantile(sorted, 0.5)),
    'p99 ms': rounded(quantile(sorted, 0.99)),
    'max ms': rounded(sorted.at(-1) ?? 0),
  }
})
report({
  name: 'revocation',
  target: `the token of a session that was ended opens nothing after ${LIMIT_MS / 1000} s, at any replica of any service`,
  met: rows.every((row) => row['max ms'] <= LIMIT_MS),
  rows,
})

async function opens(url: string, headers: Record<string, string>): Promise<boolean> {
  const { statusCode, body } = await request(url, { headers })
  await body.dump()
  return statusCode === 200
}
