import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DEPLOYMENTS } from '@trestle/contracts/areas'
import { chainsEnv } from '@trestle/runtime/chains-env'
import { serviceEnv } from '@trestle/runtime/env'

export const root = fileURLToPath(new URL('../../', import.meta.url))

export function read(path: string): string {
  return readFileSync(root + path, 'utf8')
}

export const programs = readdirSync(`${root}apps`).filter((app) => read(`apps/${app}/package.json`) !== '')

/** The deployed apps: not the command line. */
export const apps = programs.filter((app) => !read(`apps/${app}/package.json`).includes('"bin"'))

/** The environment variables an app reads. Taken from the text of its env.ts: nothing may import an app. */
export function variablesOf(app: string): string[] {
  const text = read(`apps/${app}/src/env.ts`)
  const own = [...text.matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => String(name))
  const shared = text.includes('...serviceEnv') ? Object.keys(serviceEnv) : []
  const upstreams = app === 'ingress' || app === 'console' ? UPSTREAMS : []
  const chains = text.includes('readChains(') ? Object.keys(chainsEnv) : []
  return [...shared, ...own, ...chains, ...upstreams, ...OPEN_TELEMETRY]
}

// The addresses of each deployment, and of each part of one that is deployed separately.
const UPSTREAMS = DEPLOYMENTS.flatMap(({ name, parts = [] }) => [name, ...parts.map((part) => part.name)]).map(
  (name) => `${name.toUpperCase().replaceAll('-', '_')}_URL`,
)

/** Read by packages/runtime/src/tracing.ts, which every app is started with. */
const OPEN_TELEMETRY = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_SERVICE_NAME']
