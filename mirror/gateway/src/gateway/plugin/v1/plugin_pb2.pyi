from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Access(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACCESS_UNSPECIFIED: _ClassVar[Access]
    ACCESS_GUARDED: _ClassVar[Access]
    ACCESS_OPEN: _ClassVar[Access]
ACCESS_UNSPECIFIED: Access
ACCESS_GUARDED: Access
ACCESS_OPEN: Access

class ConfigureRequest(_message.Message):
    __slots__ = ("host", "settings_yaml", "host_service", "first")
    HOST_FIELD_NUMBER: _ClassVar[int]
    SETTINGS_YAML_FIELD_NUMBER: _ClassVar[int]
    HOST_SERVICE_FIELD_NUMBER: _ClassVar[int]
    FIRST_FIELD_NUMBER: _ClassVar[int]
    host: HostInfo
    settings_yaml: bytes
    host_service: int
    first: bool
    def __init__(self, host: _Optional[_Union[HostInfo, _Mapping]] = ..., settings_yaml: _Optional[bytes] = ..., host_service: _Optional[int] = ..., first: _Optional[bool] = ...) -> None: ...

class ConfigureResponse(_message.Message):
    __slots__ = ("name", "version", "routes", "wants_usage")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    ROUTES_FIELD_NUMBER: _ClassVar[int]
    WANTS_USAGE_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    routes: _containers.RepeatedCompositeFieldContainer[Route]
    wants_usage: bool
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., routes: _Optional[_Iterable[_Union[Route, _Mapping]]] = ..., wants_usage: _Optional[bool] = ...) -> None: ...

class HostInfo(_message.Message):
    __slots__ = ("name", "version", "schema", "capabilities", "gateway_url", "config_path", "plugin_version", "resource_base")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    CAPABILITIES_FIELD_NUMBER: _ClassVar[int]
    GATEWAY_URL_FIELD_NUMBER: _ClassVar[int]
    CONFIG_PATH_FIELD_NUMBER: _ClassVar[int]
    PLUGIN_VERSION_FIELD_NUMBER: _ClassVar[int]
    RESOURCE_BASE_FIELD_NUMBER: _ClassVar[int]
    name: str
    version: str
    schema: int
    capabilities: _containers.RepeatedScalarFieldContainer[str]
    gateway_url: str
    config_path: str
    plugin_version: str
    resource_base: str
    def __init__(self, name: _Optional[str] = ..., version: _Optional[str] = ..., schema: _Optional[int] = ..., capabilities: _Optional[_Iterable[str]] = ..., gateway_url: _Optional[str] = ..., config_path: _Optional[str] = ..., plugin_version: _Optional[str] = ..., resource_base: _Optional[str] = ...) -> None: ...

class Route(_message.Message):
    __slots__ = ("method", "path", "access", "streams", "menu", "description")
    METHOD_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    STREAMS_FIELD_NUMBER: _ClassVar[int]
    MENU_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    method: str
    path: str
    access: Access
    streams: bool
    menu: str
    description: str
    def __init__(self, method: _Optional[str] = ..., path: _Optional[str] = ..., access: _Optional[_Union[Access, str]] = ..., streams: _Optional[bool] = ..., menu: _Optional[str] = ..., description: _Optional[str] = ...) -> None: ...

class Header(_message.Message):
    __slots__ = ("name", "values")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    name: str
    values: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., values: _Optional[_Iterable[str]] = ...) -> None: ...

class HttpRequest(_message.Message):
    __slots__ = ("method", "path", "query", "headers", "body", "access", "remote_address", "scheme", "host", "callback_id")
    METHOD_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    HEADERS_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    ACCESS_FIELD_NUMBER: _ClassVar[int]
    REMOTE_ADDRESS_FIELD_NUMBER: _ClassVar[int]
    SCHEME_FIELD_NUMBER: _ClassVar[int]
    HOST_FIELD_NUMBER: _ClassVar[int]
    CALLBACK_ID_FIELD_NUMBER: _ClassVar[int]
    method: str
    path: str
    query: str
    headers: _containers.RepeatedCompositeFieldContainer[Header]
    body: bytes
    access: Access
    remote_address: str
    scheme: str
    host: str
    callback_id: str
    def __init__(self, method: _Optional[str] = ..., path: _Optional[str] = ..., query: _Optional[str] = ..., headers: _Optional[_Iterable[_Union[Header, _Mapping]]] = ..., body: _Optional[bytes] = ..., access: _Optional[_Union[Access, str]] = ..., remote_address: _Optional[str] = ..., scheme: _Optional[str] = ..., host: _Optional[str] = ..., callback_id: _Optional[str] = ...) -> None: ...

class HttpResponse(_message.Message):
    __slots__ = ("status", "headers", "body")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    HEADERS_FIELD_NUMBER: _ClassVar[int]
    BODY_FIELD_NUMBER: _ClassVar[int]
    status: int
    headers: _containers.RepeatedCompositeFieldContainer[Header]
    body: bytes
    def __init__(self, status: _Optional[int] = ..., headers: _Optional[_Iterable[_Union[Header, _Mapping]]] = ..., body: _Optional[bytes] = ...) -> None: ...

class HttpResponsePart(_message.Message):
    __slots__ = ("head", "data")
    HEAD_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    head: HttpResponse
    data: bytes
    def __init__(self, head: _Optional[_Union[HttpResponse, _Mapping]] = ..., data: _Optional[bytes] = ...) -> None: ...

class UsageBatch(_message.Message):
    __slots__ = ("records", "lost")
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    LOST_FIELD_NUMBER: _ClassVar[int]
    records: _containers.RepeatedScalarFieldContainer[bytes]
    lost: int
    def __init__(self, records: _Optional[_Iterable[bytes]] = ..., lost: _Optional[int] = ...) -> None: ...

class UsageAck(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class QuiesceRequest(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class QuiesceResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DescribeRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class LogRecord(_message.Message):
    __slots__ = ("level", "message")
    class Level(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        LEVEL_UNSPECIFIED: _ClassVar[LogRecord.Level]
        LEVEL_DEBUG: _ClassVar[LogRecord.Level]
        LEVEL_INFO: _ClassVar[LogRecord.Level]
        LEVEL_WARNING: _ClassVar[LogRecord.Level]
        LEVEL_ERROR: _ClassVar[LogRecord.Level]
    LEVEL_UNSPECIFIED: LogRecord.Level
    LEVEL_DEBUG: LogRecord.Level
    LEVEL_INFO: LogRecord.Level
    LEVEL_WARNING: LogRecord.Level
    LEVEL_ERROR: LogRecord.Level
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    level: LogRecord.Level
    message: str
    def __init__(self, level: _Optional[_Union[LogRecord.Level, str]] = ..., message: _Optional[str] = ...) -> None: ...

class LogAck(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CredentialsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CredentialList(_message.Message):
    __slots__ = ("json",)
    JSON_FIELD_NUMBER: _ClassVar[int]
    json: bytes
    def __init__(self, json: _Optional[bytes] = ...) -> None: ...

class CredentialRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class CredentialFile(_message.Message):
    __slots__ = ("name", "json")
    NAME_FIELD_NUMBER: _ClassVar[int]
    JSON_FIELD_NUMBER: _ClassVar[int]
    name: str
    json: bytes
    def __init__(self, name: _Optional[str] = ..., json: _Optional[bytes] = ...) -> None: ...
