import { exampleCalls, openRpcDocument } from './open-rpc.js'

/** JSON-RPC beside the management API: with an example for each method, to be run in the reference itself. */
export function rpcReference(deployment: string, version: string) {
  const operation = {
    operationId: 'rpc.call',
    summary: 'Calls a JSON-RPC method, or up to 1,000 in an array.',
    description: 'The methods and their params are in the OpenRPC document at `openrpc.json`, which `rpc.discover` answers too.',
    tags: ['json-rpc'],
    // A project needs a token only where its rules say so.
    security: [{}, { accountToken: [] }, { clientToken: [] }],
    parameters: [
      {
        name: 'project',
        in: 'path',
        required: true,
        description: 'The id of a project.',
        schema: { type: 'string', pattern: '^[0-9a-f]{32}$' },
      },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: CALL, examples: exampleCalls() } },
    },
    responses: {
      200: { description: 'The answer: a result or an error.', content: { 'application/json': { schema: ANSWER } } },
      default: {
        description: 'An answer whose error is also in the status, such as 401, 403 and 429.',
        content: { 'application/json': { schema: ANSWER } },
      },
    },
  }
  return { paths: { '/v1/{project}': { post: operation } }, documents: { '/openrpc.json': openRpcDocument(deployment, version) } } as const
}

const CALL = {
  type: 'object',
  properties: { jsonrpc: { const: '2.0' }, id: {}, method: { type: 'string' }, params: { type: 'array' } },
  required: ['jsonrpc', 'method'],
}

const ANSWER = {
  type: 'object',
  properties: {
    jsonrpc: { const: '2.0' },
    id: {},
    result: {},
    error: { type: 'object', properties: { code: { type: 'integer' }, message: { type: 'string' }, data: {} } },
  },
  required: ['jsonrpc', 'id'],
}
