import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Problem } from '@trestle/problem/problem'
import { codeOf, messageOf } from '@trestle/problem/thrown'
import { parseEnv } from '@trestle/runtime/env'
import { z } from 'zod'
import { migrate } from './migrate.js'
import { provision } from './provision.js'

const HELP = `Brings the schemas of services up to date.

  node migrate-cli.js <service> [<service> ...]
  node migrate-cli.js <service>:<deployment> ...   where a service is deployed more than once, each with a schema of its own

For each service it applies the new files of prisma/<service>/migrations, each in one transaction, and prints their names.
Running it again, or twice at once, applies nothing twice.

Environment
  <SERVICE>_DATABASE_URL  the service role's: postgresql://role:password@host:5432/database
                          (ACCOUNTS_DATABASE_URL for accounts, BTC_DATABASE_URL for btc-connect:btc)
  ADMIN_DATABASE_URL      optional, a superuser's: first makes the database, and each service's role and schema
`

const PRISMA = fileURLToPath(new URL('../../../prisma/', import.meta.url))
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ })

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  if (args.length === 0 || args.includes('--help')) {
    process.stdout.write(HELP)
    return args.length === 0 ? 1 : 0
  }
  try {
    const services = args.map(serviceOf)
    const fields = services.map(({ variable }) => [variable, databaseUrl] as const)
    const env: Record<string, string | undefined> = parseEnv(
      z.object({ ADMIN_DATABASE_URL: databaseUrl.optional(), ...Object.fromEntries(fields) }),
    )
    for (const service of services) await update(service, String(env[service.variable]), env.ADMIN_DATABASE_URL)
    return 0
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`)
    return 1
  }
}

interface Service {
  name: string
  schema: string
  folder: string
  variable: string
}

function serviceOf(argument: string): Service {
  const [service = '', name = service] = argument.split(':')
  const known = readdirSync(PRISMA, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const names = known.map((entry) => entry.name)
  if (!names.includes(service)) throw new Error(`There is no service "${service}" with a database; there is ${names.join(', ')}.`)
  const schema = name.replaceAll('-', '_')
  return { name, schema, folder: `${PRISMA}${service}/migrations`, variable: `${schema.toUpperCase()}_DATABASE_URL` }
}

async function update({ name, schema, folder }: Service, url: string, adminUrl: string | undefined): Promise<void> {
  try {
    if (adminUrl) await provision({ adminUrl, url, schema })
    const applied = await migrate({ url, schema, folder })
    const lines = applied.length > 0 ? applied.map((migration) => `applied ${migration}`) : ['up to date']
    for (const line of lines) process.stdout.write(`${name}: ${line}\n`)
  } catch (error) {
    throw new Error(`${name}: ${reasonOf(error)}`, { cause: error })
  }
}

/** An operator needs the cause itself, not the Problem that API callers get. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Problem ? error.cause : error
  // The message is empty when every address of a host name refuses.
  return messageOf(cause) || `the database does not answer (${codeOf(cause)})`
}
