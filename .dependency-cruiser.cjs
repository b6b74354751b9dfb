// What must never import what (docs/architecture.md). turbo.json keeps the rules between packages, this file those between files.
// packages/tooling/test/boundaries.spec.ts plants a violation of each.

const feature = '^apps/([^/]+)/src/(?!generated/)([^/]+)/'
const generated = '/generated/'
const edges = '\\.(controller|consumer|job)\\.ts$'
const roles = '\\.(controller|consumer|job|service|repository|client|module)\\.ts$'
const test = '\\.spec\\.ts$|/test/'

/** @type {import('dependency-cruiser').IForbiddenRuleType[]} */
const rules = [
  { name: 'no-circular', from: { pathNot: generated }, to: { circular: true } },
  { name: 'app-to-app', from: { path: '^apps/([^/]+)/' }, to: { path: '^apps/', pathNot: '^apps/$1/' } },
  { name: 'package-to-app', from: { path: '^(packages|e2e|bench|deploy)/' }, to: { path: '^apps/' } },
  {
    name: 'pure-packages',
    from: { path: '^packages/(contracts|problem|ethereum|bitcoin)/src/', pathNot: test },
    to: { path: 'node_modules/(@nestjs|@prisma|@nats-io|pg|fastify|rxjs)/|^packages/(runtime|auth|messaging|database|sdk)/' },
  },
  {
    name: 'dev-packages-in-tests-only',
    from: { path: '^(apps|packages/(?!devnet|testing|tooling)[^/]+)/.*src/', pathNot: test },
    to: { path: '^packages/(devnet|testing|tooling)/' },
  },
  {
    // A file of a feature without a role in its name decides, and nothing else.
    name: 'domain-is-pure',
    from: { path: '^apps/[^/]+/src/.+/[a-z0-9-]+\\.ts$', pathNot: generated },
    to: { path: `${roles}|${generated}|node_modules/(@nestjs|@prisma|@nats-io|pg|fastify|rxjs)/` },
  },
  {
    // A browser has neither the server's files nor what those need.
    name: 'page-apart',
    from: { path: '^apps/[^/]+/web/', pathNot: test },
    to: {
      path: '^apps/[^/]+/src/|^packages/(runtime|auth|messaging|database)/|node_modules/(@nestjs|@prisma|@nats-io|pg|fastify|undici)/',
    },
  },
  { name: 'server-apart', from: { path: '^apps/[^/]+/src/' }, to: { path: '^apps/[^/]+/web/' } },
  { name: 'edge-to-repository', from: { path: edges }, to: { path: `\\.repository\\.ts$|${generated}` } },
  { name: 'inward-only', from: { path: '\\.(service|repository|client)\\.ts$' }, to: { path: edges } },
  {
    name: 'prisma-in-repository-only',
    from: { path: '^apps/[^/]+/', pathNot: `\\.repository\\.ts$|/database\\.module\\.ts$|${generated}|${test}` },
    to: { path: generated },
  },
  {
    // Another feature is asked through its service.
    name: 'foreign-repository',
    from: { path: feature, pathNot: test },
    to: { path: '^apps/$1/src/[^/]+/.*\\.repository\\.ts$', pathNot: '^apps/$1/src/$2/' },
  },
]

module.exports = {
  forbidden: rules.map((rule) => ({ severity: 'error', ...rule })),
  options: {
    parser: 'swc',
    doNotFollow: { path: `node_modules|${generated}` },
    exclude: { path: '/dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['ws-source', 'import', 'node', 'default'] },
  },
}
