import { readFile } from 'node:fs/promises';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { type Server, type ServerDuplexStream, status } from '@grpc/grpc-js';
import {
  type ServerReflectionRequest,
  type ServerReflectionResponse,
  ServerReflectionService,
} from '../gen/proto/grpc/reflection/v1/reflection.js';

type Answer = NonNullable<ServerReflectionResponse['messageResponse']>;

/**
 * Lets grpcurl and buf curl list and call our methods, from the descriptors that `buf build` wrote. Own code because
 * @grpc/reflection 1.0 serves files without their imports.
 */
export async function addReflection(server: Server): Promise<void> {
  const bytes = await readFile(new URL('../gen/descriptor.binpb', import.meta.url));
  const files = fromBinary(FileDescriptorSetSchema, bytes).file;
  const services = files.flatMap((file) => file.service.map((service) => qualified(file, service.name)));
  const byName = new Map(files.map((file) => [file.name, file]));
  const bySymbol = new Map(files.flatMap((file) => symbols(file).map((symbol) => [symbol, file] as const)));

  function answer(request: ServerReflectionRequest): Answer {
    switch (request.messageRequest?.$case) {
      case 'listServices':
        return { $case: 'listServicesResponse', value: { service: services.map((name) => ({ name })) } };
      case 'fileByFilename':
        return withImports(byName.get(request.messageRequest.value));
      case 'fileContainingSymbol':
        return withImports(bySymbol.get(request.messageRequest.value));
      default:
        return { $case: 'errorResponse', value: { errorCode: status.UNIMPLEMENTED, errorMessage: 'not offered' } };
    }
  }

  function withImports(file: FileDescriptorProto | undefined): Answer {
    if (!file) return { $case: 'errorResponse', value: { errorCode: status.NOT_FOUND, errorMessage: 'not found' } };
    const wanted = new Set<FileDescriptorProto>();
    const visit = (next: FileDescriptorProto | undefined): void => {
      if (!next || wanted.has(next)) return;
      wanted.add(next);
      for (const name of next.dependency) visit(byName.get(name));
    };
    visit(file);
    const fileDescriptorProto = [...wanted].map((each) => Buffer.from(toBinary(FileDescriptorProtoSchema, each)));
    return { $case: 'fileDescriptorResponse', value: { fileDescriptorProto } };
  }

  server.addService(ServerReflectionService, {
    serverReflectionInfo(stream: ServerDuplexStream<ServerReflectionRequest, ServerReflectionResponse>) {
      stream.on('data', (request: ServerReflectionRequest) =>
        stream.write({ validHost: request.host, originalRequest: request, messageResponse: answer(request) }),
      );
      stream.on('end', () => stream.end());
    },
  });
}

function symbols(file: FileDescriptorProto): string[] {
  const methods = file.service.flatMap((service) => service.method.map((m) => `${service.name}.${m.name}`));
  const names = [...file.service, ...file.messageType, ...file.enumType].map((each) => each.name);
  return [...names, ...methods].map((name) => qualified(file, name));
}

function qualified(file: FileDescriptorProto, name: string): string {
  return `${file.package}.${name}`;
}
