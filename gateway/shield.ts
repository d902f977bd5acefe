import { createRequire } from 'node:module';

// graphql-shield's ESM build does not load on Node 24 (it imports util.isUndefined). Its CommonJS build does; `chain` and
// `race` still need that function, so they are not offered. graphql-middleware must be of the same kind, or the types of
// the schema are not found in it (stack.md 3).
const require = createRequire(import.meta.url);
const { shield, rule, deny } = require('graphql-shield') as typeof import('graphql-shield');
const { applyMiddleware } = require('graphql-middleware') as typeof import('graphql-middleware');

export { applyMiddleware, deny, rule, shield };
