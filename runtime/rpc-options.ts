import type { ChannelOptions } from '@grpc/grpc-js';

/** Mutual TLS between services: PEM of our certificate, its key, and the CA that signed the peers'. */
export interface RpcTls {
  cert: Buffer;
  key: Buffer;
  ca: Buffer;
}

/** 1 MiB: our largest answer is a page of 100 links; a batch goes in chunks (RP-2). */
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Both ends have the same limits: a message that one may send, the other takes. */
export function channelOptions(): ChannelOptions {
  return {
    'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
    'grpc.max_send_message_length': MAX_MESSAGE_BYTES,
    // A half-open connection is noticed within 15 s instead of by the kernel's retransmission limit.
    'grpc.keepalive_time_ms': 10_000,
    'grpc.keepalive_timeout_ms': 5_000,
    // A peer that comes back is used again within a second, not after the default's two minutes.
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1_000,
  };
}

/** What one connection may ask of a server (RP-8). */
export function serverOptions(): ChannelOptions {
  return {
    ...channelOptions(),
    'grpc.max_concurrent_streams': 1_000,
    'grpc-node.max_session_memory': 64,
    'grpc.max_metadata_size': 16 * 1024,
  };
}
