import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { pathOf } from './base-path.js'
import type { ServiceEnv } from './env.js'
import { type EndpointTree, openApiDocument } from './open-api.js'

interface Documentation {
  name: string
  version: string
  env: Pick<ServiceEnv, 'BASE_PATH'>
  endpoints: EndpointTree
  ownPrefix?: string
  reference?: ReferenceAdditions
}

/** What the API reference has beyond the endpoints. */
export interface ReferenceAdditions {
  /** Of raw routes, as OpenAPI describes paths. */
  readonly paths: Record<string, object>
  /** Further documents, by their paths. */
  readonly documents: Readonly<Record<`/${string}`, object>>
}

const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']
const internal = { config: { internal: true } } as const

/** Serves the front page, the OpenAPI document and Swagger UI, without any other server. */
export function registerDocumentation(
  fastify: FastifyInstance,
  { name, version, env, endpoints, ownPrefix, reference }: Documentation,
): void {
  const basePath = env.BASE_PATH
  const document = JSON.stringify(openApiDocument({ title: `Trestle ${name}`, version, basePath, endpoints, rawPaths: reference?.paths }))
  const frontPage = { name, version, docs: `${ownPrefix ?? basePath}/docs` }
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  fastify.register(fastifyStatic, { root, serve: false })
  for (const [path, more] of Object.entries(reference?.documents ?? {})) fastify.get(path, internal, async () => more)
  for (const at of ownPrefix === undefined ? [''] : ['', ownPrefix]) serveAt(fastify, at, { name, document, frontPage })
}

function serveAt(fastify: FastifyInstance, at: string, pages: { name: string; document: string; frontPage: object }): void {
  fastify.get(at || '/', internal, async () => pages.frontPage)
  fastify.get(`${at}/openapi.json`, internal, async (_request, reply) => reply.type('application/json; charset=utf-8').send(pages.document))
  fastify.get(`${at}/docs`, internal, async (request, reply) => {
    // Relative, so that the page works under any path of an ingress, with and without a trailing slash.
    const here = pathOf(request.originalUrl).endsWith('/') ? '..' : '.'
    return reply.type('text/html; charset=utf-8').header('content-security-policy', CONTENT_SECURITY_POLICY).send(page(pages.name, here))
  })
  fastify.get(`${at}/docs/start.js`, internal, async (_request, reply) => reply.type('text/javascript; charset=utf-8').send(START))
  for (const asset of ASSETS) fastify.get(`${at}/docs/${asset}`, internal, (_request, reply) => reply.sendFile(asset))
}

// Swagger UI sets style attributes and draws its icons from data: URLs; it needs no inline script.
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

// Swagger UI has a dark theme, and leaves it to the page when to use it.
const START = `const dark = matchMedia('(prefers-color-scheme: dark)')
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', applyTheme)
applyTheme()
const here = document.currentScript.src
window.ui = SwaggerUIBundle({ url: new URL('../openapi.json', here).href, dom_id: '#ui', deepLinking: true, validatorUrl: null })
`

// Our operations have no links, and a phone needs the space of their column.
const STYLE = `
body { margin: 0 }
.swagger-ui .info { margin: 1.75rem 0 1.25rem }
.swagger-ui .scheme-container { margin: 0; padding: 1rem 0; box-shadow: none }
.swagger-ui .response-col_links { display: none }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 .75rem }
  .swagger-ui .opblock-body .responses-inner, .swagger-ui .opblock .table-container { padding: .75rem }
  .swagger-ui table tbody tr td:first-of-type { min-width: 4.5em; padding-right: .75em }
}
`

function page(name: string, here: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Trestle ${name} API</title>
<link rel="icon" href="${here}/docs/favicon-32x32.png">
<link rel="stylesheet" href="${here}/docs/swagger-ui.css">
<style>${STYLE}</style>
</head>
<body>
<div id="ui"></div>
<script src="${here}/docs/swagger-ui-bundle.js"></script>
<script src="${here}/docs/start.js"></script>
</body>
</html>
`
}
